// A thread that converts one mail, so that the main thread stays free.
import { parentPort, workerData } from 'node:worker_threads'
import type { Conversion, Converted } from './converter.ts'
import { transportForm } from './transport-form.ts'

const { mail, capabilities } = workerData as Conversion
const form: Converted = transportForm(
  Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength),
  capabilities,
)
parentPort!.postMessage(form)
