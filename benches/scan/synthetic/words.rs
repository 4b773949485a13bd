//! Chance that repeats itself, and names to choose from.

pub struct Words(u64);

impl Words {
    pub fn seeded(seed: u64) -> Words {
        Words(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// At least `low`, less than `high`.
    pub fn number(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low) as u64) as usize
    }

    /// How many statements a body has: mostly few, now and then very many.
    pub fn body(&mut self) -> usize {
        match self.number(0, 10) {
            0..5 => self.number(1, 6),
            5..9 => self.number(6, 20),
            _ => self.number(20, 60),
        }
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.number(0, from.len())]
    }

    /// A few words are everywhere and most are rare, as in real names.
    fn common<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        from[(share * share * share * from.len() as f64) as usize]
    }

    pub fn noun(&mut self) -> &'static str {
        self.common(NOUNS)
    }

    pub fn verb(&mut self) -> &'static str {
        self.common(VERBS)
    }

    /// `RequestBuffer`
    pub fn pascal(&mut self, nouns: usize) -> String {
        (0..nouns).map(|_| capital(self.noun())).collect()
    }

    /// `requestBuffer`
    pub fn camel(&mut self, nouns: usize) -> String {
        let first = self.noun();
        first.to_owned() + &self.pascal(nouns - 1)
    }

    /// `request_buffer`
    pub fn snake(&mut self, nouns: usize) -> String {
        (0..nouns).map(|_| self.noun()).collect::<Vec<_>>().join("_")
    }

    /// `When the request is closed, the buffer must not be flushed.`
    pub fn sentence(&mut self) -> String {
        let (a, b, c) = (self.noun(), self.noun(), self.noun());
        let (does, done) = (self.verb(), self.verb());
        match self.number(0, 6) {
            0 => format!("When the {a} is missing, the {b} must {does} its {c} first."),
            1 => format!("Callers {does} the {a} before they {done} a {b} of the same {c}."),
            2 => format!("The {a} is kept until every {b} could {does} the {c}."),
            3 => format!("Returns the {a} of this {b}, or nothing if the {c} is unknown."),
            4 => format!("It would be wrong to {does} here: another {a} may {done} the {b}."),
            _ => format!("{} the {a} that the {b} asked for; see the {c} for limits.", capital(does)),
        }
    }
}

pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// More than seventy, which directories are named after.
#[rustfmt::skip]
pub const NOUNS: &[&str] = &[
    "request", "value", "context", "name", "options", "result", "response", "item", "user", "service", "data",
    "index", "key", "type", "message", "path", "handler", "state", "list", "model", "token", "event", "node",
    "string", "buffer", "client", "server", "file", "stream", "config", "error", "query", "session", "cache",
    "record", "field", "provider", "factory", "builder", "header", "route", "filter", "page", "count", "source",
    "target", "element", "format", "order", "entry", "connection", "endpoint", "pipeline", "binding", "template",
    "attribute", "policy", "scope", "channel", "socket", "thread", "queue", "task", "timer", "lock", "schema",
    "column", "table", "migration", "cursor", "transaction", "account", "customer", "invoice", "payment", "price",
    "product", "catalog", "basket", "shipment", "address", "country", "currency", "rate", "discount", "tax",
    "report", "chart", "layout", "widget", "panel", "dialog", "button", "cell", "grid", "label", "icon", "theme",
    "color", "font", "image", "pixel", "frame", "shader", "mesh", "vertex", "matrix", "vector", "tensor", "kernel",
    "signal", "sample", "window", "spectrum", "codec", "packet", "segment", "checksum", "cipher", "certificate",
    "issuer", "claim", "role", "permission", "tenant", "region", "cluster", "replica", "shard", "snapshot",
    "journal", "ledger", "quota", "budget", "metric", "trace", "span", "alert", "probe", "beacon", "gateway",
    "proxy", "tunnel", "fabric", "lattice", "quorum", "epoch", "fence", "lease", "heartbeat", "watermark",
    "partition", "offset", "consumer", "producer", "broker", "topic", "subscription", "webhook", "payload",
    "envelope", "digest", "nonce", "salt", "pepper", "vault", "secret", "locale", "plural", "glyph", "ligature",
    "paragraph", "footnote", "bibliography", "chapter", "outline", "bookmark", "annotation", "revision", "branch",
    "commit", "manifest", "artifact", "bundle", "module", "symbol", "linker", "assembler", "register", "opcode",
    "operand", "stack", "heap", "arena", "slab", "page_table", "interrupt", "scheduler", "semaphore", "barrier",
];

#[rustfmt::skip]
pub const VERBS: &[&str] = &[
    "get", "set", "create", "add", "update", "remove", "find", "read", "write", "validate", "parse", "load",
    "handle", "build", "send", "open", "close", "convert", "check", "apply", "render", "resolve", "register",
    "fetch", "store", "merge", "split", "compute", "format", "encode", "decode", "compress", "flush", "retry",
    "cancel", "schedule", "publish", "subscribe", "authorize", "revoke", "encrypt", "sign", "verify", "rotate",
    "allocate", "release", "acquire", "evict", "replay", "compact", "rebalance", "throttle", "sanitize", "escape",
    "normalize", "interpolate", "serialize", "inspect", "diff", "reconcile",
];
