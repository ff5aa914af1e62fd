const { kill, platform } = process

/** Kills a process that leads a group, and all others of the group, even when the leader is gone. Never throws. */
export function killGroup(leader: number): void {
  try {
    kill.call(process, platform === 'win32' ? leader : -leader, 'SIGKILL')
  } catch {
    // The group has no processes left.
  }
}
