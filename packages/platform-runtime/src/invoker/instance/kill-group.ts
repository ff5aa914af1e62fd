const { kill, platform } = process

/**
 * Sends a signal to all processes of a group, even when its leader has ended. Kills only the leader on Windows. Never
 * throws.
 */
export function killGroup(leader: number, signal: 'SIGKILL' | 'SIGSTOP' = 'SIGKILL'): void {
  try {
    if (platform !== 'win32') kill.call(process, -leader, signal)
    else if (signal === 'SIGKILL') kill.call(process, leader, signal)
  } catch {
    // The group has no processes left.
  }
}
