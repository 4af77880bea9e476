//! The files of a program in the sandbox, by a mount namespace: a new root that has only the allowed paths, under their names.
//!
//! All of it is read-only, except the paths that the user lets the program write. So the program changes neither contents nor
//! times nor other attributes of files, and files that it may not read do not exist for it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::{env, iter};

use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change, mount_remount, unmount,
};
use rustix::process::pivot_root;

use super::super::sandbox_policy::{DEVICES, SandboxPolicy};

/// The old root in the new one, until that is complete.
const OLD: &str = "/.old";

/// The longest chain of symbolic links that the system follows.
const MAX_LINKS: usize = 40;

/// Makes the new root of this process, which must be the first of its process namespace and in a separate mount namespace.
///
/// # Errors
/// The step that failed, and why.
pub(super) fn make(policy: &SandboxPolicy) -> Result<(), String> {
    let here = at("working directory", env::current_dir())?;
    at("mounts", mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC))?;
    // Any directory can be covered, because it is visible again as soon as the new root is in place.
    at("new root", mount("tmpfs", "/proc", "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, Some(c"mode=755")))?;
    at("new root", fs::create_dir("/proc/.old"))?;
    at("new root", pivot_root("/proc", "/proc/.old"))?;
    at("new root", env::set_current_dir("/"))?;

    let has_processes = mount_processes();
    let mut layout = Layout::default();
    let devices = DEVICES.iter().map(Path::new);
    let readable = policy.readable.iter().map(|path| &**path).chain(devices);
    layout.readable.extend(readable.filter_map(|path| layout.links.follow(path)));
    layout.writable.extend(policy.writable.iter().filter_map(|path| layout.links.follow(path)));
    for path in &policy.named {
        layout.links.follow(path);
    }
    if has_processes {
        layout.readable.retain(|path| !path.starts_with("/proc"));
    }
    layout.make()?;
    for directory in policy.listable.iter().chain([&here]) {
        at(directory, make_directory(directory))?;
    }
    make_read_only(&policy.writable)?;
    at("old root", unmount(OLD, UnmountFlags::DETACH))?;
    at("old root", fs::remove_dir(OLD))?;
    at("new root", mount_remount("/", MountFlags::BIND | READ_ONLY | MountFlags::NODEV, ""))?;
    at("mounts", mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC))?;
    at(&here, env::set_current_dir(&here))
}

const READ_ONLY: MountFlags = MountFlags::RDONLY.union(MountFlags::NOSUID);

fn at<T>(step: impl AsRef<Path>, result: Result<T, impl Into<io::Error>>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {}", step.as_ref().display(), error.into()))
}

/// Mounts a `/proc` of this namespace's processes. Returns whether the system allows it; inside another container it may not.
fn mount_processes() -> bool {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    fs::create_dir("/proc").is_ok() && mount("proc", "/proc", "proc", flags, None).is_ok()
}

/// The entries of the new root.
#[derive(Debug, Default)]
struct Layout {
    links: Links,
    readable: BTreeSet<PathBuf>,
    writable: BTreeSet<PathBuf>,
}

impl Layout {
    fn make(&self) -> Result<(), String> {
        let mut bound: Vec<&Path> = Vec::new();
        // A directory comes before its contents.
        for path in &self.readable {
            if !bound.iter().any(|above| path.starts_with(above)) {
                at(path, bind(path))?;
                bound.push(path);
            }
        }
        for path in &self.writable {
            at(path, bind(path))?;
            bound.push(path);
        }
        for (link, target) in &self.links.0 {
            if !bound.iter().any(|above| link.starts_with(above)) {
                at(link, make_link(link, target))?;
            }
        }
        Ok(())
    }
}

/// The symbolic links on the way to the allowed paths, and their targets.
#[derive(Debug, Default)]
struct Links(BTreeMap<PathBuf, PathBuf>);

impl Links {
    /// Adds the links on the way to a path, and returns where they lead; `None` if nothing is there.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let mut left: VecDeque<OsString> = names(path).collect();
        let mut here = PathBuf::from("/");
        let mut links = 0;
        while let Some(name) = left.pop_front() {
            if name == ".." {
                here.pop();
                continue;
            }
            let next = here.join(&name);
            let Ok(target) = fs::read_link(old(&next)) else {
                here = next;
                continue;
            };
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            if target.is_absolute() {
                here = "/".into();
            }
            left = names(&target).chain(left).collect();
            self.0.insert(next, target);
        }
        old(&here).exists().then_some(here)
    }
}

/// The components of a path, without the root.
fn names(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::ParentDir => Some("..".into()),
        Component::Normal(name) => Some(name.to_owned()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    })
}

/// The same path in the old root.
fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// Mounts a file or directory of the old root here, with all its mounts.
fn bind(path: &Path) -> io::Result<()> {
    let source = old(path);
    if !path.exists() {
        if source.is_dir() {
            make_directory(path)?;
        } else {
            path.parent().map(make_directory).transpose()?;
            File::create(path)?;
        }
    }
    match mount_bind_recursive(&source, path) {
        // The user cannot reach it, so the program could not use it either.
        Err(Errno::ACCESS | Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}

fn make_directory(path: &Path) -> io::Result<()> {
    if path.is_dir() { Ok(()) } else { fs::create_dir_all(path) }
}

fn make_link(link: &Path, target: &Path) -> io::Result<()> {
    link.parent().map(make_directory).transpose()?;
    match symlink(target, link) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Makes every mount read-only, except these paths, and takes devices and set-user-ID programs from all.
fn make_read_only(writable: &[PathBuf]) -> Result<(), String> {
    let table = at("mounts", fs::read(old(Path::new("/proc/self/mountinfo"))))?;
    for mount in table.split(|&byte| byte == b'\n').filter_map(Mount::parse) {
        if mount.place == Path::new("/") || mount.place.starts_with(OLD) {
            continue;
        }
        let mut flags = MountFlags::BIND | MountFlags::NOSUID | mount.kept;
        if !mount.place.starts_with("/dev") {
            flags |= MountFlags::NODEV;
        }
        if !writable.iter().any(|path| mount.place.starts_with(path)) {
            flags |= READ_ONLY;
        }
        match mount_remount(&mount.place, flags, "") {
            Err(Errno::ACCESS) => {} // the user cannot reach it
            done => at(&mount.place, done)?,
        }
    }
    Ok(())
}

/// A row of the table of mounts.
struct Mount {
    place: PathBuf,
    /// Its existing restrictions, which a user namespace may not lift.
    kept: MountFlags,
}

impl Mount {
    fn parse(row: &[u8]) -> Option<Self> {
        let mut fields = row.split(|&byte| byte == b' ').skip(4);
        let (place, options) = (fields.next()?, fields.next()?);
        let flag = |option: &[u8]| match option {
            b"ro" => MountFlags::RDONLY,
            b"nodev" => MountFlags::NODEV,
            b"noexec" => MountFlags::NOEXEC,
            _ => MountFlags::empty(),
        };
        Some(Self { place: unescaped(place), kept: options.split(|&byte| byte == b',').map(flag).collect() })
    }
}

/// A path as the table of mounts writes it: spaces and the like as a backslash and three octal digits.
fn unescaped(path: &[u8]) -> PathBuf {
    let mut left = path;
    let bytes = iter::from_fn(|| {
        let (&first, rest) = left.split_first()?;
        let code = rest.get(..3).filter(|_| first == b'\\').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                left = &rest[3..];
                Some(byte)
            }
            None => {
                left = rest;
                Some(first)
            }
        }
    });
    OsString::from_vec(bytes.collect()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_table_rows_are_parsed() {
        let row = b"57 49 254:0 /a /work/my\\040bot rw,nosuid,nodev,relatime shared:1 - ext4 /dev/vda rw";
        let mount = Mount::parse(row).expect("a row");
        assert_eq!((mount.place, mount.kept), (PathBuf::from("/work/my bot"), MountFlags::NODEV));
        assert!(Mount::parse(b"").is_none());
        assert_eq!(unescaped(br"/a\\b\134c"), PathBuf::from(r"/a\\b\c"));
    }
}
