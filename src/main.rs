use std::process::ExitCode;

fn main() -> ExitCode {
    codeagent::cli::main()
}
