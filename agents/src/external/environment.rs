//! The environment of a program: the variables that interpreters and libraries need, and nothing private.

use std::env;
use std::ffi::OsString;

/// The variables that are handed on.
const NAMES: [&str; 18] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TMPDIR",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "RUST_BACKTRACE",
    "R_HOME",
    "R_LIBS",
    "PERL5LIB",
    "GEM_PATH",
];

/// How those begin that are handed on too.
const BEGINNINGS: [&str; 15] = [
    "LC_",
    "PYTHON",
    "PYENV_",
    "CONDA_",
    "NODE_",
    "NVM_",
    "JAVA_",
    "JULIA_",
    "DOTNET_",
    "GO",
    "OMP_",
    "MKL_",
    "OPENBLAS_",
    "NUMEXPR_",
    "CUDA_",
];

/// The environment of a program.
pub(super) fn handed_on() -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_handed_on))
}

fn is_handed_on(name: &str) -> bool {
    NAMES.contains(&name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_passes_needed_variables_without_secrets() {
        for name in ["PATH", "HOME", "LC_ALL", "PYTHONPATH", "OMP_NUM_THREADS", "NODE_PATH"] {
            assert!(is_handed_on(name), "{name}");
        }
        for name in ["AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "UNOLAB_SEED", "PATHS", "OLDPWD", ""] {
            assert!(!is_handed_on(name), "{name}");
        }
    }
}
