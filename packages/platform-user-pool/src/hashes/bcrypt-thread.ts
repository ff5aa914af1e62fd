// A thread that checks one password against a hash of bcrypt, so that the main thread stays free.
import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { BcryptCheck } from './check-hash.ts'

const { password, text } = workerData as BcryptCheck
parentPort!.postMessage(compareSync(password, text))
