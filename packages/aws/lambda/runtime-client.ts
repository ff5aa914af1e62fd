import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A program that takes events from the Runtime API and calls a function with them. */
export interface RuntimeClient {
  readonly name: string
  /** The file that Node is started with. */
  readonly file: string
}

const run = promisify(execFile)
const client = fileURLToPath(import.meta.resolve('aws-lambda-ric'))
const folder = dirname(client)
const addon = 'rapid-client.node'

// Milliseconds for each of two steps. Together they take most of a minute on two cores that have nothing else to do.
const buildTimeout = 600_000

/**
 * AWS's own runtime client, unmodified. Its native part is not built when it is installed, because nobody but this
 * test needs it: it is built here, once, by the package's own scripts. They need Linux, cmake, make, a C++
 * compiler, python3, and Node's headers. Where that does not work, the client is a loop of our own.
 */
export async function runtimeClient(): Promise<RuntimeClient> {
  if (!existsSync(join(folder, addon))) await build().catch(() => undefined)
  return existsSync(join(folder, addon)) ? { name: 'aws-lambda-ric', file: client } : ownLoop
}

/** The least that a runtime client does. */
export const ownLoop: RuntimeClient = {
  name: 'a loop of our own',
  file: fileURLToPath(new URL('loop.js', import.meta.url)),
}

async function build(): Promise<void> {
  if (process.platform !== 'linux') return
  // In a copy, so that a build that is cut off leaves nothing behind that looks like one.
  const cache = await mkdtemp(join(dirname(folder), '.aws-lambda-ric-'))
  const copy = join(cache, 'node_modules', 'aws-lambda-ric')
  const env = { ...process.env, PATH: join(dirname(folder), '.bin') + delimiter + process.env.PATH }
  try {
    await cp(folder, copy, { recursive: true })
    for (const script of ['preinstall', 'postinstall']) {
      await run('sh', [join(copy, 'scripts', `${script}.sh`)], {
        cwd: copy,
        env,
        timeout: buildTimeout,
        maxBuffer: 2 ** 28,
      })
    }
    await rename(join(copy, addon), join(folder, addon))
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
}
