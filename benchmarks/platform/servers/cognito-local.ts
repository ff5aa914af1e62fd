// Starts an unmodified cognito-local in an empty folder, with its log turned off.
import { mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from './report.ts'

// cognito-local reads these variables when it is loaded.
process.env.HOST = '127.0.0.1'
process.env.PORT = '0'
process.chdir(mkdtempSync(join(tmpdir(), 'cognito-local-bench-')))
const { createDefaultServer } = await import('cognito-local')
const pino = createRequire(import.meta.resolve('cognito-local'))('pino')
const server = await createDefaultServer(pino({ level: 'silent' }))
const listening = await server.start()
report(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`)
