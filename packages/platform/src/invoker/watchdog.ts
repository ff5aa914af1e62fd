// A thread beside a function. It ends the process, and what the function started with it, when the platform is
// gone or the memory is used up, even while the function does not yield.
import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { lifeline } from './instance-message.ts'

const memoryLimit = workerData as number

const platform = new Socket({ fd: lifeline, readable: true, writable: true })
platform.on('close', end)
platform.on('error', end)
platform.resume()

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit) platform.write('memory', end)
}, 50)

function end(): void {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
}
