//! Takes from this process all that drawing a PDF does not need: it keeps its memory, its input and
//! its output. The kernel enforces it.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use dakiya_core::limits;

/// A protection that older or smaller kernels do not have, and its presence.
pub type Protection = (&'static str, bool);

/// Confines this process for the rest of its life. Returns the protections of the kernel, with
/// `false` for each that it does not have: the limits hold without them.
///
/// # Errors
/// Fails if a limit cannot be set.
pub fn confine() -> io::Result<Vec<Protection>> {
    // Each step takes away what the steps before it need.
    let mut protections = kernel::close_files();
    limit()?;
    protections.push(kernel::close_calls());
    Ok(protections)
}

/// Limits memory, CPU time, files and processes: this process can open and write no file, and
/// start no other.
fn limit() -> io::Result<()> {
    let limits = [
        (Resource::Data, limits::KYC_PDF_MEMORY_BYTES_MAX),
        (Resource::Cpu, limits::KYC_PDF_CPU_S_MAX),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nofile, 3),
        (Resource::Nproc, 0),
    ];
    for (resource, most) in limits {
        let both = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, both)?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::collections::BTreeMap;
    use std::error::Error;
    use std::process;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope,
    };
    use rustix::thread::set_no_new_privs;
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch, apply_filter,
    };

    use super::Protection;

    /// Forbids all files, networks, and signals to other processes.
    pub fn close_files() -> Vec<Protection> {
        let no_new_privs = set_no_new_privs(true).is_ok();
        let landlock = landlock().is_ok_and(|status| status == RulesetStatus::FullyEnforced);
        vec![("no_new_privs", no_new_privs), ("landlock", landlock)]
    }

    /// Handles every access and allows none. A kernel that knows only some of them enforces these.
    fn landlock() -> Result<RulesetStatus, RulesetError> {
        // The first version that also keeps signals and abstract sockets within the process.
        let version = ABI::V6;
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(version))?
            .handle_access(AccessNet::from_all(version))?
            .scope(Scope::from_all(version))?
            .create()?;
        Ok(rules.restrict_self()?.ruleset)
    }

    /// Forbids all system calls that drawing does not make.
    pub fn close_calls() -> Protection {
        ("seccomp", seccomp().is_ok())
    }

    /// A forbidden call fails with `EPERM`.
    fn seccomp() -> Result<(), Box<dyn Error>> {
        let denied = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
        let machine = TargetArch::try_from(std::env::consts::ARCH)?;
        let filter = SeccompFilter::new(calls()?, denied, SeccompAction::Allow, machine)?;
        let program: BpfProgram = filter.try_into()?;
        Ok(apply_filter(&program)?)
    }

    /// The calls that are allowed: input and output that are open already, memory, the end, and the
    /// standard library's handling of a crash.
    fn calls() -> Result<BTreeMap<i64, Vec<SeccompRule>>, Box<dyn Error>> {
        let plain = [
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_writev,
            libc::SYS_brk,
            libc::SYS_mremap,
            libc::SYS_munmap,
            libc::SYS_madvise,
            libc::SYS_futex,
            libc::SYS_getrandom,
            libc::SYS_clock_gettime,
            libc::SYS_sched_yield,
            libc::SYS_sigaltstack,
            libc::SYS_rt_sigaction,
            libc::SYS_rt_sigprocmask,
            libc::SYS_rt_sigreturn,
            libc::SYS_restart_syscall,
            libc::SYS_getpid,
            libc::SYS_gettid,
            libc::SYS_exit,
            libc::SYS_exit_group,
        ];
        let mut calls: BTreeMap<i64, Vec<SeccompRule>> =
            plain.into_iter().map(|call| (call, Vec::new())).collect();
        // Memory that holds no code.
        let runs = u64::try_from(libc::PROT_EXEC)?;
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            calls.insert(call, vec![only_if(2, SeccompCmpOp::MaskedEq(runs), 0)?]);
        }
        // Signals to itself, with which a crash ends.
        let own = only_if(0, SeccompCmpOp::Eq, process::id().into())?;
        calls.insert(libc::SYS_tgkill, vec![own]);
        Ok(calls)
    }

    /// A rule about one argument of a call.
    fn only_if(
        argument: u8,
        operator: SeccompCmpOp,
        value: u64,
    ) -> Result<SeccompRule, Box<dyn Error>> {
        let length = SeccompCmpArgLen::Dword;
        let condition = SeccompCondition::new(argument, length, operator, value)?;
        Ok(SeccompRule::new(vec![condition])?)
    }
}

/// Other systems have none of these protections.
#[cfg(not(target_os = "linux"))]
mod kernel {
    use super::Protection;

    pub fn close_files() -> Vec<Protection> {
        vec![("no_new_privs", false), ("landlock", false)]
    }

    pub fn close_calls() -> Protection {
        ("seccomp", false)
    }
}
