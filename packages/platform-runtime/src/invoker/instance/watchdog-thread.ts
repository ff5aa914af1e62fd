// This module runs in a thread beside a function. It kills the process and its children when the platform has ended or
// the memory limit is reached, even while the function does not yield.
import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { descriptors, memoryUsedUp } from './instance-message.ts'
import { killGroup } from './kill-group.ts'

const { memoryLimit } = workerData as { readonly memoryLimit: number }
const end = () => killGroup(process.pid)

const platform = new Socket({ fd: descriptors.lifeline, readable: true, writable: true })
platform.on('close', end)
platform.on('error', end)
// Without reading, the end of the pipe is not noticed.
platform.resume()

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit) platform.write(`${memoryUsedUp}\n`, end)
}, 50)
