// This module runs in a thread beside a function. It kills the process and its children when the platform has ended or
// the memory limit is reached, and takes tasks back, even while the function does not yield.
import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { type ClaimCell, takeBack } from './claim.ts'
import { descriptors, memoryUsedUp, startedLine } from './instance-message.ts'
import { killGroup } from './kill-group.ts'

const { memoryLimit, claims } = workerData as { readonly memoryLimit: number; readonly claims: ClaimCell }
const end = () => killGroup(process.pid)

const platform = new Socket({ fd: descriptors.lifeline, readable: true, writable: true })
platform.on('close', end)
platform.on('error', end)
platform.on('data', line => void platform.write(startedLine(takeBack(claims, Number(line)))))

setInterval(() => {
  if (process.memoryUsage.rss() > memoryLimit) platform.write(`${memoryUsedUp}\n`, end)
}, 50)
