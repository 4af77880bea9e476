//! The system calls of a program in the sandbox: each call of the table `system_calls.tsv` has a verdict, and all others fail.
//!
//! | verdict | a call of the program |
//! |---|---|
//! | `allow` | is allowed |
//! | `refuse` | fails with `EPERM` |
//! | `absent` | fails with `ENOSYS`, as a call that the table does not have: libraries then use an older call |
//! | any other | is allowed in part: see [`limit_of`] |
//!
//! The column `x86_64` has the numbers of that processor, and the column `generic` those of ARM and RISC-V.

use std::collections::BTreeMap;

use rustix::io::Errno;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::super::level::Reach;
use super::super::sandbox_policy::Network;

const TABLE: &str = include_str!("system_calls.tsv");

/// The column of the numbers of this processor.
const COLUMN: usize = if cfg!(target_arch = "x86_64") { 1 } else { 2 };

/// What the verdicts depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRights {
    pub(super) network: Network,
    /// Whether file locks are allowed. A lock can be seen by another program that can open the file.
    pub(super) locks: Locks,
    /// The processes that its signals reach.
    pub(super) signals: Reach,
    /// The processes whose numbers it can use.
    pub(super) processes: Reach,
}

/// Whether a program may lock files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Locks {
    Allowed,
    Refused,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
struct SystemCall {
    #[cfg(test)]
    name: &'static str,
    number: i64,
    verdict: &'static str,
}

/// The calls that this processor has.
fn system_calls() -> impl Iterator<Item = SystemCall> {
    TABLE.lines().skip(1).filter_map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        Some(SystemCall {
            #[cfg(test)]
            name: cells[0],
            number: cells[COLUMN].parse().ok()?,
            verdict: cells[3],
        })
    })
}

/// The refused part of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Limit {
    /// No part.
    Free,
    /// The whole call.
    Refused,
    /// The whole call, which looks unknown to the system.
    Absent,
    /// Calls whose arguments meet one of these rules.
    Arguments(Vec<SeccompRule>),
}

/// Allows the calling thread and its descendants the calls that these rights give.
///
/// # Errors
/// If the system has no seccomp.
pub(super) fn restrict(rights: CallRights) -> Result<(), String> {
    let (known, refused) = filters(rights).map_err(|error| error.to_string())?;
    let arch = std::env::consts::ARCH.try_into().map_err(|_| "unknown processor".to_owned())?;
    let fail = |errno: Errno| SeccompAction::Errno(errno.raw_os_error().unsigned_abs());
    // The first filter must let the second one be installed. Of two errors, the system returns the one from the newer filter.
    for filter in [
        SeccompFilter::new(known, fail(Errno::NOSYS), SeccompAction::Allow, arch),
        SeccompFilter::new(refused, SeccompAction::Allow, fail(Errno::PERM), arch),
    ] {
        let program = filter.and_then(BpfProgram::try_from).map_err(|error| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The calls that exist for the program, and of these the refused ones.
fn filters(rights: CallRights) -> Result<(Rules, Rules), BackendError> {
    let (mut known, mut refused) = (Rules::new(), Rules::new());
    for call in system_calls() {
        match limit_of(call.verdict, rights)? {
            Limit::Absent => continue,
            Limit::Free => {}
            Limit::Refused => _ = refused.insert(call.number, Vec::new()),
            Limit::Arguments(rules) => _ = refused.insert(call.number, rules),
        }
        known.insert(call.number, Vec::new());
    }
    Ok((known, refused))
}

/// The limit that a verdict means under these rights. A verdict that is not known refuses the call.
fn limit_of(verdict: &str, rights: CallRights) -> Result<Limit, BackendError> {
    let free_if = |allowed: bool| if allowed { Limit::Free } else { Limit::Refused };
    Ok(match verdict {
        "allow" => Limit::Free,
        "absent" => Limit::Absent,
        // Threads and processes, but no namespaces.
        "threads" => {
            let flags = NAMESPACE_FLAGS.map(|flag| argument(0, SeccompCmpOp::MaskedEq(flag), flag));
            Limit::Arguments(flags.into_iter().map(|flag| SeccompRule::new(vec![flag?])).collect::<Result<_, _>>()?)
        }
        // It may read its own limits.
        "own-limits" => Limit::Arguments(vec![
            none_of(0, &[0])?,
            SeccompRule::new(vec![SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?])?,
        ]),
        // Numerical libraries choose the processors of their threads.
        "own-affinity" => match rights.processes {
            Reach::OwnProcesses => Limit::Free,
            Reach::AllProcesses => Limit::Arguments(vec![none_of(0, &[0])?]),
        },
        "descriptors" => {
            let locks = if rights.locks == Locks::Allowed { &LOCK_COMMANDS[..] } else { &[] };
            Limit::Arguments(vec![none_of(1, &[&DESCRIPTOR_COMMANDS, locks].concat())?])
        }
        "locks" => free_if(rights.locks == Locks::Allowed),
        "streams" => Limit::Arguments(vec![none_of(1, &STREAM_REQUESTS)?]),
        "own-attributes" => Limit::Arguments(vec![none_of(0, &OWN_ATTRIBUTES)?]),
        // The default personality, and the query of the current one.
        "own-personality" => Limit::Arguments(vec![none_of(0, &[0, 0xffff_ffff])?]),
        "network" => free_if(rights.network == Network::Allowed),
        // AF_UNIX: a pair that only its own processes have.
        "local-pair" => Limit::Arguments(vec![none_of(0, &[1])?]),
        "signals" => free_if(rights.signals == Reach::OwnProcesses),
        // Without RWF_NOWAIT, which shows whether a file was read before.
        "blocking-reads" => Limit::Arguments(vec![SeccompRule::new(vec![argument(5, SeccompCmpOp::MaskedEq(8), 8)?])?]),
        _ => Limit::Refused,
    })
}

/// `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID`, `NEWNET`.
const NAMESPACE_FLAGS: [u64; 7] =
    [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000];

/// `F_DUPFD`, `GETFD`, `SETFD`, `GETFL`, `SETFL`, `DUPFD_QUERY`, `DUPFD_CLOEXEC`, `SETPIPE_SZ`, `GETPIPE_SZ`, `ADD_SEALS`,
/// `GET_SEALS`. Leases, owners of signals and notes about directories reach others.
const DESCRIPTOR_COMMANDS: [u64; 11] = [0, 1, 2, 3, 4, 1027, 1030, 1031, 1032, 1033, 1034];

/// `F_GETLK`, `SETLK`, `SETLKW` and the same of open files (`OFD`).
const LOCK_COMMANDS: [u64; 6] = [5, 6, 7, 36, 37, 38];

/// `TCGETS`, `TIOCGPGRP`, `TIOCGWINSZ`, `FIONREAD`, `FIONBIO`, `FIONCLEX`, `FIOCLEX`, `TCGETS2`.
const STREAM_REQUESTS: [u64; 8] = [0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x802c_542a];

/// Attributes of the calling process, of `PR_`: `SET_PDEATHSIG`, `GET_PDEATHSIG`, `GET_DUMPABLE`, `SET_DUMPABLE`, `SET_NAME`,
/// `GET_NAME`, `GET_SECCOMP`, `CAPBSET_READ`, `SET_TIMERSLACK`, `GET_TIMERSLACK`, `SET_CHILD_SUBREAPER`,
/// `GET_CHILD_SUBREAPER`, `SET_NO_NEW_PRIVS`, `GET_NO_NEW_PRIVS`, `GET_TID_ADDRESS`, `SET_THP_DISABLE`, `GET_THP_DISABLE`,
/// `SVE_SET_VL`, `SVE_GET_VL`, `GET_SPECULATION_CTRL`, `SET_SPECULATION_CTRL`, `PAC_RESET_KEYS`, `SET_TAGGED_ADDR_CTRL`,
/// `GET_TAGGED_ADDR_CTRL`, `SET_MDWE`, `GET_MDWE`, `RISCV_V_SET_CONTROL`, `RISCV_V_GET_CONTROL`, `GET_AUXV`, `SET_VMA`.
const OWN_ATTRIBUTES: [u64; 30] = [
    1,
    2,
    3,
    4,
    15,
    16,
    21,
    23,
    29,
    30,
    36,
    37,
    38,
    39,
    40,
    41,
    42,
    50,
    51,
    52,
    53,
    54,
    55,
    56,
    65,
    66,
    69,
    70,
    0x4155_5856,
    0x5356_4d41,
];

/// A condition on the lower half of an argument: the system ignores the upper half of an `int`.
fn argument(index: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}

fn none_of(index: u8, values: &[u64]) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(values.iter().map(|&value| argument(index, SeccompCmpOp::Ne, value)).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    const CLOSED: CallRights = CallRights {
        network: Network::Denied,
        locks: Locks::Refused,
        signals: Reach::AllProcesses,
        processes: Reach::AllProcesses,
    };

    fn numbers_of(column: usize) -> Vec<u32> {
        TABLE.lines().skip(1).filter_map(|row| row.split('\t').nth(column)?.parse().ok()).collect()
    }

    #[test]
    fn system_call_numbers_have_one_row_each() {
        // Numbers that are not assigned, or only on one kind of processor.
        let gaps = |column: usize, number: &u32| match column {
            1 => (335..=423).contains(number),
            _ => (244..=259).contains(number) || (295..=423).contains(number),
        };
        for column in [1, 2] {
            let mut numbers = numbers_of(column);
            numbers.sort_unstable();
            numbers.retain(|number| !gaps(column, number));
            let expected: Vec<u32> = (0..=469).filter(|number| !gaps(column, number)).collect();
            assert_eq!(numbers, expected, "column {column}");
        }
        assert_eq!(libc::SYS_clone3, call("clone3").number);
        assert_eq!(libc::SYS_futex_waitv, call("futex_waitv").number);
        assert_eq!(libc::SYS_mq_open, call("mq_open").number);
        assert_eq!(libc::SYS_prlimit64, call("prlimit64").number);
    }

    /// The headers of this system may name newer calls than the table, which then fail as unknown ones.
    #[test]
    fn system_call_numbers_match_kernel_headers() {
        let header = match COLUMN {
            1 => "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
            _ => return,
        };
        let Ok(header) = fs::read_to_string(header) else { return };
        let defined = header.lines().filter_map(|line| line.strip_prefix("#define __NR_")?.split_once(' '));
        for (name, number) in defined {
            let found = system_calls().find(|call| call.name == name);
            assert!(found.is_none_or(|call| call.number.to_string() == number.trim()), "{name} {number}");
        }
    }

    fn call(name: &str) -> SystemCall {
        system_calls().find(|call| call.name == name).expect("a row")
    }

    #[test]
    fn system_call_verdicts_are_valid() {
        let parts = [
            "threads",
            "own-limits",
            "own-affinity",
            "descriptors",
            "locks",
            "streams",
            "own-attributes",
            "own-personality",
            "network",
            "local-pair",
            "signals",
            "blocking-reads",
        ];
        let verdicts: BTreeSet<&str> = TABLE.lines().skip(1).filter_map(|row| row.split('\t').nth(3)).collect();
        let known: BTreeSet<&str> = ["allow", "refuse", "absent"].into_iter().chain(parts).collect();
        assert_eq!(verdicts, known);
        for verdict in parts {
            let limit = limit_of(verdict, CLOSED).expect("valid rules");
            assert!(matches!(limit, Limit::Arguments(_) | Limit::Refused), "{verdict}");
        }
    }

    #[test]
    fn calls_affecting_other_processes_are_denied() {
        let (known, refused) = filters(CLOSED).expect("valid rules");
        for name in [
            "fchmod",
            "fchmodat",
            "fchmodat2",
            "fchown",
            "fchownat",
            "utimensat",
            "setxattr",
            "fsetxattr",
            "setxattrat",
            "removexattr",
            "shmget",
            "shmat",
            "semget",
            "semop",
            "msgget",
            "msgsnd",
            "mq_open",
            "setpriority",
            "ioprio_set",
            "sched_setscheduler",
            "sched_setattr",
            "inotify_init1",
            "fanotify_init",
            "clock_adjtime",
            "ptrace",
            "process_vm_readv",
            "process_vm_writev",
            "pidfd_open",
            "pidfd_getfd",
            "io_uring_setup",
            "bpf",
            "perf_event_open",
            "keyctl",
            "userfaultfd",
            "mount",
            "umount2",
            "move_mount",
            "open_tree",
            "mount_setattr",
            "unshare",
            "setns",
            "flock",
            "kill",
            "socket",
            "connect",
            "setrlimit",
            "cachestat",
            "mknodat",
        ] {
            assert_eq!(refused.get(&call(name).number), Some(&Vec::new()), "{name}");
        }
        for name in ["prlimit64", "sched_setaffinity", "clone", "fcntl", "ioctl", "prctl", "socketpair"] {
            assert!(refused.get(&call(name).number).is_some_and(|rules| !rules.is_empty()), "{name}");
        }
        for name in ["clone3", "mincore"] {
            assert!(!known.contains_key(&call(name).number), "{name}");
        }
        for name in ["read", "write", "mmap", "futex", "openat", "execve", "exit_group", "rt_sigreturn", "statx"] {
            let number = call(name).number;
            assert!(known.contains_key(&number) && !refused.contains_key(&number), "{name}");
        }
    }
}
