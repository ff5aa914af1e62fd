import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownLoop, type RuntimeClient } from './own-loop.ts'

const run = promisify(execFile)
const client = fileURLToPath(import.meta.resolve('aws-lambda-ric'))
const folder = dirname(client)
const addon = 'rapid-client.node'

// The time-out of each build step in milliseconds. The two steps take almost a minute on two idle cores.
const buildTimeout = 600_000

/**
 * Returns the original AWS runtime client. Installing the package does not build its native part, which only these
 * tests need. This function therefore runs the build scripts of the package once. They need Linux, cmake, make, a C++
 * compiler, python3, and the headers of Node. If the build fails, this function returns a minimal client.
 */
export async function runtimeClient(): Promise<RuntimeClient> {
  if (!existsSync(join(folder, addon))) await build().catch(() => undefined)
  return existsSync(join(folder, addon)) ? { name: 'aws-lambda-ric', file: client } : ownLoop
}

async function build(): Promise<void> {
  if (process.platform !== 'linux') return
  // The build runs in a copy, so that an interrupted build leaves no incomplete result.
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
