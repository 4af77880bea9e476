//! The environment of a program: the variables that interpreters and libraries need, but nothing private.

use std::env;
use std::ffi::OsString;

/// The variables that a program inherits.
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

/// The prefixes of further variables that it inherits.
const PREFIXES: [&str; 15] = [
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
pub(crate) fn inherited_environment() -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_inherited))
}

fn is_inherited(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_passes_needed_variables_without_secrets() {
        for name in ["PATH", "HOME", "LC_ALL", "PYTHONPATH", "OMP_NUM_THREADS", "NODE_PATH"] {
            assert!(is_inherited(name), "{name}");
        }
        for name in ["AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "UNOLAB_SEED", "PATHS", "OLDPWD", ""] {
            assert!(!is_inherited(name), "{name}");
        }
    }
}
