// A function that breaks its process in the way that its event requests.
import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const hoard: unknown[] = []

export async function handler(
  event: { readonly do: string; readonly ms?: number; readonly folder?: string },
  context: object,
): Promise<unknown> {
  console.log(`doing ${event.do}`)
  console.error('really')
  switch (event.do) {
    case 'answer':
      return {
        event,
        process: process.pid,
        folder: process.cwd(),
        env: process.env.SHOP,
        send: typeof process.send,
      }
    case 'context': {
      const { getRemainingTimeInMillis, deadline, ...rest } = context as {
        getRemainingTimeInMillis: () => number
        deadline: number
      }
      return { ...rest, left: getRemainingTimeInMillis(), untilDeadline: deadline - Date.now() }
    }
    case 'nothing':
      return undefined
    case 'throw':
      throw new TypeError('no')
    case 'wait':
      await new Promise(resolve => setTimeout(resolve, event.ms))
      return { waited: event.ms, process: process.pid }
    // Waits until two processes are doing this in the same folder.
    case 'meet':
      writeFileSync(join(event.folder!, String(process.pid)), '')
      while (readdirSync(event.folder!).length < 2) await new Promise(resolve => setTimeout(resolve, 10))
      return { process: process.pid }
    // One child stays, and one leaves its session and its parent.
    case 'children': {
      const wait = ['-e', 'setInterval(() => {}, 1000)']
      const child = spawn(process.execPath, wait, { stdio: 'ignore' })
      const daemon = spawn(process.execPath, wait, { stdio: 'ignore', detached: true })
      daemon.unref()
      return [child.pid, daemon.pid]
    }
    case 'hang':
      return new Promise(() => {})
    case 'loop':
      for (;;) hoard.length = 0
    case 'exit':
      return process.exit(3)
    case 'abort':
      return process.abort()
    case 'kill':
      process.kill(process.pid, 'SIGSEGV')
      return new Promise(() => {})
    case 'disconnect':
      process.disconnect()
      return new Promise(() => {})
    case 'reject':
      void Promise.reject(new Error('nobody cares'))
      return new Promise(() => {})
    case 'heap':
      for (;;) hoard.push(new Array(1000).fill({}))
    case 'buffers':
      for (;;) hoard.push(Buffer.alloc(10_000_000, 1))
    case 'garbage':
      return 7n
    case 'large':
      return 'x'.repeat(10_000_000)
    case 'chatter':
      for (;;) console.log('x'.repeat(1000))
    default:
      return null
  }
}

export const text = 'not a function'
