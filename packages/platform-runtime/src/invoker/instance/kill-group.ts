const { kill, platform } = process

/** Kills all processes of a group, even when its leader has ended. Never throws. */
export function killGroup(leader: number): void {
  try {
    kill.call(process, platform === 'win32' ? leader : -leader, 'SIGKILL')
  } catch {
    // The group has no processes left.
  }
}
