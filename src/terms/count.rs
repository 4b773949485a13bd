//! Counting the terms of one passage without allocating per term.

use super::for_each_term;

/// Term frequencies of one text at a time. Keep one per thread: its buffers are reused.
#[derive(Default)]
pub struct TermCounter {
    /// The distinct terms, one after the other.
    text: String,
    terms: Vec<Entry>,
    /// Open addressing, linear probing, at most half full; `index + 1` into `terms`, 0 is empty.
    slots: Vec<u32>,
}

struct Entry {
    end: usize,
    hash: u32,
    count: u32,
}

impl TermCounter {
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the text before and counts this one. Returns the number of terms including repeats, which is the
    /// length that BM25 wants.
    pub fn count(&mut self, text: &str) -> u32 {
        self.text.clear();
        self.terms.clear();
        self.slots.clear();
        self.slots.resize(64, 0);
        let mut total = 0_u32;
        for_each_term(text, |term| {
            total = total.saturating_add(1);
            self.add(term);
        });
        total
    }

    /// Distinct terms with their frequency, in the order of their first appearance.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u32)> {
        (0..self.terms.len()).map(|index| (self.term(index), self.terms[index].count))
    }

    /// Counts `text` into a value of its own, as small as it can be.
    pub fn counted(&mut self, text: &str) -> TermCounts {
        let length = self.count(text);
        let terms = self.terms.iter().map(|entry| (entry.end as u32, entry.count)).collect();
        TermCounts { text: self.text.as_str().into(), terms, length }
    }

    fn term(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.terms[before].end);
        &self.text[start..self.terms[index].end]
    }

    fn add(&mut self, term: &str) {
        let hash = hash(term.as_bytes());
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(index) = (self.slots[at] as usize).checked_sub(1) {
            if self.terms[index].hash == hash && self.term(index) == term {
                self.terms[index].count = self.terms[index].count.saturating_add(1);
                return;
            }
            at = (at + 1) & mask;
        }
        self.text.push_str(term);
        self.terms.push(Entry { end: self.text.len(), hash, count: 1 });
        self.slots[at] = self.terms.len() as u32;
        if 2 * self.terms.len() > self.slots.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (index, entry) in self.terms.iter().enumerate() {
            let mut at = entry.hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = index as u32 + 1;
        }
    }
}

/// The terms of one text, to be carried from where they are counted to where they are stored.
pub struct TermCounts {
    /// The distinct terms, one after the other.
    text: Box<str>,
    /// Where each term ends, and how often it stands in the text.
    terms: Box<[(u32, u32)]>,
    length: u32,
}

impl TermCounts {
    /// All terms with repeats: the length that BM25 wants.
    pub fn length(&self) -> u32 {
        self.length
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let mut start = 0;
        self.terms.iter().map(move |&(end, count)| {
            (&self.text[std::mem::replace(&mut start, end as usize)..end as usize], count)
        })
    }
}

/// FNV-1a with its high bits mixed down; never stored.
fn hash(bytes: &[u8]) -> u32 {
    let hash =
        bytes.iter().fold(0x811C_9DC5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash ^ (hash >> 15)
}

/// The distinct terms of `text` with their frequencies, sorted by term.
pub fn term_counts(text: &str) -> Vec<(String, u32)> {
    let mut counter = TermCounter::new();
    counter.count(text);
    let mut counts: Vec<_> = counter.iter().map(|(term, count)| (term.to_owned(), count)).collect();
    counts.sort_unstable();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn repeats_are_counted_and_all_terms_make_the_length() {
        let mut counter = TermCounter::new();
        assert_eq!(counter.count("parse(token) parse(token, token)"), 5);
        assert_eq!(counter.iter().collect::<Vec<_>>(), [("pars", 2), ("token", 3)]);
        let counted = counter.counted("parse(token) parse(token, token)");
        assert_eq!(
            (counted.length(), counted.iter().collect::<Vec<_>>()),
            (5, vec![("pars", 2), ("token", 3)])
        );
        assert_eq!(counter.count(""), 0);
        assert_eq!(counter.iter().len(), 0);
    }

    proptest! {
        #[test]
        fn counts_agree_with_a_map_and_with_a_used_counter(texts in prop::collection::vec("[a-d]{2,4}([ _][a-zA-Z0-9é語]{1,4}){0,200}", 1..4)) {
            let mut counter = TermCounter::new();
            for text in &texts {
                let mut expected = BTreeMap::<String, u32>::new();
                for_each_term(text, |term| *expected.entry(term.to_owned()).or_default() += 1);
                let total = counter.count(text);
                prop_assert_eq!(total, expected.values().sum::<u32>());
                let counted: BTreeMap<String, u32> = counter.iter().map(|(t, n)| (t.to_owned(), n)).collect();
                prop_assert_eq!(&counted, &expected);
                prop_assert_eq!(term_counts(text), expected.into_iter().collect::<Vec<_>>());
            }
        }
    }
}
