import fs from 'node:fs'
import { type Frame, frameBytes } from './frame.ts'
import { killGroup } from './kill-group.ts'
import { reusedRoom } from './reused-room.ts'

export type SendFrame = (kind: Frame['kind'], task: number, text?: string, more?: string) => void

/**
 * Returns a function that sends frames from an instance. The frame has been sent when the call returns, so nothing is
 * lost when the user's function ends its process. A function that writes faster than the platform reads has to wait.
 */
export function frameSender(descriptor: number): SendFrame {
  // Keeps the original `writeSync`, because functions may replace it.
  const { writeSync } = fs
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const roomFor = reusedRoom()
  return (kind, task, text = '', more = '') => {
    const bytes = frameBytes(kind, task, text, more, roomFor)
    let sent = 0
    while (sent < bytes.length) {
      try {
        sent += writeSync(descriptor, bytes, sent)
      } catch (error) {
        // `EAGAIN` means that the function has made the channel non-blocking. After any other error the channel is
        // gone, so this process ends.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return killGroup(process.pid)
        Atomics.wait(pause, 0, 0, 1)
      }
    }
  }
}
