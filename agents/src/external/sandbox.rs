//! The sandbox of a program: the files that it may read and write; no other processes and no network.
//!
//! On Linux a thread confines itself (Landlock for files, other processes and signals; a seccomp filter for the rest) and then
//! starts the program, which inherits the restrictions, as do all its descendants. The restrictions cannot be removed. The
//! thread is separate, so this process itself is not confined.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::policy::{Policy, Sandbox};

/// The system folders of programs and libraries, which every program may read.
const SYSTEM: [&str; 15] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/run/systemd/resolve",
    "/home/linuxbrew/.linuxbrew",
    "/sys/devices/system/cpu",
];

/// Files of `/proc` that are not about processes, and that runtimes read.
const FACTS: [&str; 5] =
    ["/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/sys/vm/overcommit_memory"];

/// The devices that can do no harm.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The restrictions that this system supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// All restrictions: files, processes and networks of others.
    Full,
    /// Not from everything; from what not, and why.
    Partial(String),
    /// No restrictions, with the reason.
    None(String),
}

impl Confinement {
    /// The restrictions that work here, found by trying.
    #[must_use]
    pub fn possible() -> &'static Self {
        static POSSIBLE: LazyLock<Confinement> = LazyLock::new(|| {
            let nothing =
                Walls { readable: Vec::new(), listable: Vec::new(), writable: Vec::new(), network: Network::Denied };
            std::thread::scope(|scope| scope.spawn(|| kernel::put_up(&nothing)).join())
                .unwrap_or_else(|_| Confinement::None("it cannot be found out".into()))
        });
        &POSSIBLE
    }

    /// Is a program confined enough by this?
    fn suffices(&self, wanted: Sandbox) -> Result<(), &str> {
        match (wanted, self) {
            (Sandbox::Require, Self::Partial(reason) | Self::None(reason)) => Err(reason),
            _ => Ok(()),
        }
    }
}

/// May it use the network?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    Denied,
    Allowed,
}

/// The files and rights of one program in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Walls {
    /// Read and started, with all that is in it.
    readable: Vec<PathBuf>,
    /// Only its names are seen.
    listable: Vec<PathBuf>,
    /// Read and written.
    writable: Vec<PathBuf>,
    network: Network,
}

impl Walls {
    /// The walls for a program of these words; none if it is not to be confined.
    ///
    /// # Errors
    /// If the sandbox is required but not available, or an allowed file or folder does not exist.
    pub(super) fn of(words: &[String], policy: &Policy, network: Network) -> Result<Option<Self>, String> {
        if policy.sandbox == Sandbox::Off {
            return Ok(None);
        }
        if let Err(reason) = Confinement::possible().suffices(policy.sandbox) {
            return Err(format!("the sandbox is required but not available: {reason}"));
        }
        let missing = policy.readable.iter().chain(&policy.writable).find(|path| !path.exists());
        if let Some(path) = missing {
            return Err(format!("it is allowed {}, and there is nothing there", path.display()));
        }
        let hidden: Vec<PathBuf> = policy.hidden.iter().map(|path| place_of(path)).collect();
        let mut walls = Self { readable: Vec::new(), listable: Vec::new(), writable: Vec::new(), network };
        let given = policy.readable.iter().map(|path| place_of(path));
        for path in SYSTEM.iter().chain(&FACTS).map(PathBuf::from).chain(own_folders(words)).chain(given) {
            walls.let_read(&path, &hidden);
        }
        for path in policy.writable.iter().map(|path| place_of(path)) {
            if let Some(secret) = hidden.iter().find(|secret| overlap(&path, secret)) {
                let (path, secret) = (path.display(), secret.display());
                return Err(format!("it is allowed to write {path}, and may not read {secret}, which is of the run"));
            }
            walls.writable.push(path);
        }
        walls.readable.sort();
        walls.readable.dedup();
        Ok(Some(walls))
    }

    /// Lets it read a file or folder, but for what is hidden in it.
    fn let_read(&mut self, path: &Path, hidden: &[PathBuf]) {
        if hidden.iter().any(|secret| path.starts_with(secret)) {
            return;
        }
        if !hidden.iter().any(|secret| secret.starts_with(path)) {
            self.readable.push(path.into());
            return;
        }
        self.listable.push(path.into());
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            // What a link leads to may be read if it is elsewhere among the allowed.
            if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                self.let_read(&entry.path(), hidden);
            }
        }
    }

    /// Does the work, which starts a program, within these walls.
    ///
    /// # Errors
    /// If the walls cannot be put up, or the work fails.
    pub(super) fn within<T: Send>(
        walls: Option<(&Self, Sandbox)>,
        work: impl FnOnce() -> io::Result<T> + Send,
    ) -> io::Result<T> {
        let Some((walls, wanted)) = walls else { return work() };
        let confined = || {
            let confinement = kernel::put_up(walls);
            confinement.suffices(wanted).map_err(|reason| io::Error::other(format!("not confined: {reason}")))?;
            work()
        };
        std::thread::scope(|scope| scope.spawn(confined).join())
            .unwrap_or_else(|_| Err(io::Error::other("it cannot be confined")))
    }
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// The resolved path, as far as it exists.
fn place_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    for there in path.ancestors() {
        if let Ok(place) = there.canonicalize() {
            let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
            return place.components().chain(rest.components()).collect();
        }
    }
    path
}

/// The folders that belong to a program of these words: those of its files, and where its interpreter was installed.
fn own_folders(words: &[String]) -> Vec<PathBuf> {
    let search: Vec<PathBuf> = env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect());
    let mut folders = Vec::new();
    for word in words {
        let named = Path::new(word);
        let places = match named.components().count() {
            1 if !word.is_empty() => search.iter().map(|folder| folder.join(named)).chain([named.into()]).collect(),
            _ => vec![named.to_path_buf()],
        };
        for place in places {
            if place.is_file() {
                // As it is named, and where links lead.
                let named = std::path::absolute(&place).ok();
                folders.extend(named.into_iter().chain([place_of(&place)]).filter_map(|file| folder_of(&file)));
            }
        }
    }
    folders.iter().map(|folder| place_of(folder)).collect()
}

/// The folder of a file; for `PREFIX/bin/FILE` the prefix, which has the libraries.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let holds_programs = ["bin", "shims"].iter().any(|name| folder.ends_with(name));
    let is_private = |prefix: &Path| env::home_dir().is_some_and(|home| place_of(&home).starts_with(prefix));
    match folder.parent() {
        Some(prefix) if holds_programs && !is_private(prefix) => Some(prefix.into()),
        _ => Some(folder.into()),
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod kernel {
    use std::collections::BTreeMap;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetError, Scope, path_beneath_rules,
    };
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

    use super::{Confinement, DEVICES, Network, Walls};

    /// System calls that no agent needs: those that reach into other processes, weaken the sandbox, or raise the
    /// priority.
    const REFUSED: [libc::c_long; 38] = [
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_kcmp,
        libc::SYS_perf_event_open,
        libc::SYS_bpf,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_fsopen,
        libc::SYS_fsmount,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_open_by_handle_at,
        libc::SYS_truncate,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_clock_settime,
        libc::SYS_settimeofday,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setattr,
        libc::SYS_sched_setparam,
    ];

    /// Signals to others, where Landlock does not hold them back.
    const SIGNALS: [libc::c_long; 6] = [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_send_signal,
    ];

    /// On x86-64 every call has a second number, where the kernel knows the x32 calls.
    #[cfg(target_arch = "x86_64")]
    const SECOND_NUMBER: Option<libc::c_long> = Some(0x4000_0000);
    #[cfg(not(target_arch = "x86_64"))]
    const SECOND_NUMBER: Option<libc::c_long> = None;

    /// Do the walls hold back signals to those outside?
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Signals {
        HeldBack,
        Free,
    }

    /// Puts the walls up round this thread and whatever it starts.
    pub(super) fn put_up(walls: &Walls) -> Confinement {
        let files = walls_of_files(walls);
        let signals = *files.as_ref().unwrap_or(&Signals::Free);
        match (files, refuse_calls(walls.network, signals)) {
            (Ok(_), Ok(())) => Confinement::Full,
            (Ok(_), Err(reason)) => {
                Confinement::Partial(format!("it may use the network, as there is no seccomp: {reason}"))
            }
            (Err(reason), Ok(())) => {
                Confinement::Partial(format!("it may read files, as there is no Landlock: {reason}"))
            }
            (Err(reason), Err(_)) => Confinement::None(format!("there is neither Landlock nor seccomp: {reason}")),
        }
    }

    fn walls_of_files(walls: &Walls) -> Result<Signals, String> {
        let knows_signals = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::Signal)
            .and_then(Ruleset::create)
            .is_ok();
        ruleset(walls).map_err(|error| error.to_string())?;
        Ok(if knows_signals { Signals::HeldBack } else { Signals::Free })
    }

    fn ruleset(walls: &Walls) -> Result<(), RulesetError> {
        // What a later kernel knows is taken where it is known; the first version is what it takes to be confined.
        const NEWEST: ABI = ABI::V7;
        let all: BitFlags<AccessFs> = AccessFs::from_all(NEWEST);
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .scope(Scope::from_all(NEWEST))?;
        if walls.network == Network::Denied {
            ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
        }
        let devices = AccessFs::ReadFile | AccessFs::WriteFile;
        ruleset
            .create()?
            .add_rules(path_beneath_rules(&walls.readable, AccessFs::from_read(NEWEST)))?
            .add_rules(path_beneath_rules(&walls.listable, AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(&walls.writable, all))?
            .add_rules(path_beneath_rules(DEVICES, devices))?
            .restrict_self()?;
        Ok(())
    }

    /// Makes these calls fail as if they were not allowed, which they are not.
    fn refuse_calls(network: Network, signals: Signals) -> Result<(), String> {
        let sockets = (network == Network::Denied).then_some(libc::SYS_socket);
        let signals = SIGNALS.iter().copied().filter(|_| signals == Signals::Free);
        let refused = REFUSED.iter().copied().chain(sockets).chain(signals);
        let numbers = refused.flat_map(|call| [Some(call), SECOND_NUMBER.map(|second| second | call)]).flatten();
        #[expect(clippy::useless_conversion, reason = "the type of a number is the system's")]
        let rules: BTreeMap<i64, _> = numbers.map(|call| (call.into(), Vec::new())).collect();
        let not_permitted = SeccompAction::Errno(rustix::io::Errno::PERM.raw_os_error().unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().map_err(|_| "it does not know this processor".to_owned())?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, not_permitted, arch);
        let program = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod kernel {
    use super::{Confinement, Walls};

    pub(super) fn put_up(_: &Walls) -> Confinement {
        Confinement::None("it needs Linux on a 64-bit processor".into())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn policy(sandbox: Sandbox) -> Policy {
        Policy { sandbox, ..Policy::default() }
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// A folder of this test, which is removed with it.
    struct Home(PathBuf);

    impl Home {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("unolab-sandbox-{name}-{}", std::process::id()));
            fs::create_dir_all(path.join("bot/runs/mine")).expect("a folder of the test");
            for file in ["bot/bot.sh", "bot/weights", "bot/runs/other", "bot/runs/mine/secret", "outside"] {
                fs::write(path.join(file), "x").expect("a file of the test");
            }
            Self(path.canonicalize().expect("it is there"))
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn its_own_folder_is_within_the_walls_but_for_what_is_hidden() {
        let home = Home::new("walls");
        let words = words(&format!("sh {}", home.path("bot/bot.sh").display()));
        let own = |policy: &Policy| -> Vec<PathBuf> {
            let walls = Walls::of(&words, policy, Network::Denied).expect("it can be").expect("it is confined");
            walls.readable.into_iter().filter(|path| path.starts_with(&home.0)).collect()
        };
        assert_eq!(own(&policy(Sandbox::Auto)), [home.path("bot")]);
        let hidden = vec![home.path("bot/runs/mine"), home.path("bot/not-there-yet")];
        let paths = ["bot/bot.sh", "bot/runs/other", "bot/weights"].map(|name| home.path(name));
        assert_eq!(own(&Policy { hidden, ..policy(Sandbox::Auto) }), paths);
        assert_eq!(own(&Policy { hidden: vec![home.0.clone()], ..policy(Sandbox::Auto) }), [] as [PathBuf; 0]);
        let more = Policy { readable: vec![home.path("outside")], ..policy(Sandbox::Auto) };
        assert_eq!(own(&more), [home.path("bot"), home.path("outside")]);
        assert_eq!(Walls::of(&words, &policy(Sandbox::Off), Network::Denied), Ok(None));
        let missing = Policy { writable: vec![home.path("nowhere")], ..policy(Sandbox::Auto) };
        assert!(Walls::of(&words, &missing, Network::Denied).expect_err("it is not there").contains("nowhere"));
        let (writable, hidden) = (vec![home.path("bot")], vec![home.path("bot/runs/mine")]);
        let both = Policy { writable, hidden, ..policy(Sandbox::Auto) };
        assert!(Walls::of(&words, &both, Network::Denied).expect_err("one of both").contains("which is of the run"));
    }

    #[test]
    fn an_interpreter_brings_its_libraries_but_not_a_whole_home() {
        let in_home = |path: &str| env::home_dir().expect("a home").join(path);
        assert_eq!(folder_of(Path::new("/opt/py/bin/python3")), Some("/opt/py".into()));
        assert_eq!(folder_of(Path::new("/opt/py/python3")), Some("/opt/py".into()));
        assert_eq!(folder_of(&in_home("bin/mybot")), Some(in_home("bin")));
        assert_eq!(folder_of(&in_home(".venv/bin/python")), Some(in_home(".venv")));
    }

    #[test]
    fn what_is_required_and_cannot_be_had_is_refused() {
        let partial = Confinement::Partial("no seccomp".into());
        assert_eq!(partial.suffices(Sandbox::Require), Err("no seccomp"));
        assert_eq!(Confinement::None("no".into()).suffices(Sandbox::Require), Err("no"));
        assert_eq!(partial.suffices(Sandbox::Auto), Ok(()));
        assert_eq!(Confinement::Full.suffices(Sandbox::Require), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_confined_program_reaches_what_is_its_own_and_nothing_else() {
        let home = Home::new("reach");
        if *Confinement::possible() != Confinement::Full {
            assert!(env::var_os("CI").is_none(), "not tried: {:?}", Confinement::possible());
            eprintln!("not tried: {:?}", Confinement::possible());
            return;
        }
        let policy = Policy {
            writable: vec![home.path("bot/runs/other")],
            hidden: vec![home.path("bot/runs/mine")],
            ..policy(Sandbox::Require)
        };
        let words = words(&format!("sh {}", home.path("bot/bot.sh").display()));
        let walls = Walls::of(&words, &policy, Network::Denied).expect("it can be").expect("it is confined");
        let can = |script: &str| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).current_dir(&home.0);
            command.stdin(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let status = Walls::within(Some((&walls, Sandbox::Require)), || command.status());
            status.expect("it starts").success()
        };
        let this = std::process::id();
        for (script, allowed) in [
            ("cat bot/bot.sh bot/weights", true),
            ("ls / bot > /dev/null", false),
            ("ls bot bot/runs/mine > /dev/null", true),
            ("echo y > bot/runs/other", true),
            ("echo y > bot/weights", false),
            ("echo y > bot/new", false),
            ("cat bot/runs/mine/secret", false),
            ("ln -s ../runs/mine/secret bot/runs/other", false),
            ("cat outside", false),
            ("cat /etc/passwd > /dev/null", true),
            ("cat /proc/self/environ", false),
            (&format!("cat /proc/{this}/cmdline"), false),
            (&format!("cat /proc/{this}/mem"), false),
            (&format!("kill -0 {this}"), false),
            ("sleep 600 & kill $!", true),
            ("unshare -r true", false),
        ] {
            assert_eq!(can(script), allowed, "{script}");
        }
        // This thread itself goes on without walls.
        assert!(fs::read(home.path("outside")).is_ok());
    }
}
