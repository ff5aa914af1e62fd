import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { RuntimeClient } from './own-loop.ts'
import { type Answer, runtimeApi } from './runtime-api.ts'

/** A deployed function, which is bundled and which a runtime client loads in its own process. */
export interface DeployedFunction extends AsyncDisposable {
  /** Invokes the function with an event. The invocation may take `timeout` milliseconds. */
  invoke(event: unknown, timeout?: number): Promise<Answer>
}

/** Wraps an example in `aws()`, bundles it as a user would, and starts it. */
export async function deploy(example: string, client: RuntimeClient): Promise<DeployedFunction> {
  const folder = await mkdtemp(join(tmpdir(), `signalbox-${example}-`))
  await build({
    stdin: {
      contents: `
        import { aws } from '@signalbox/aws'
        import { handler as neutral } from '@signalbox/examples/${example}/handler'
        export const handler = aws(neutral)`,
      resolveDir: import.meta.dirname,
    },
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    mainFields: ['module', 'main'],
    // Users have the published packages and do not need this condition.
    conditions: ['@signalbox/source'],
    logLevel: 'warning',
  })
  const api = await runtimeApi()
  const process = start(client, folder, api.address)
  const ended = once(process, 'exit').then(([code, signal]) => {
    throw new Error(`The function ${example} ended with ${code ?? signal}`)
  })
  ended.catch(() => {})
  return {
    invoke: (event, timeout = 5_000) => Promise.race([api.invoke(event, timeout), ended]),
    async [Symbol.asyncDispose]() {
      process.kill('SIGKILL')
      await ended.catch(() => {})
      await api[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function start(client: RuntimeClient, folder: string, address: string): ChildProcess {
  return spawn(process.execPath, [client.file], {
    // On Lambda, this output would be the log of the function. The tests ignore it.
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      AWS_LAMBDA_RUNTIME_API: address,
      AWS_LAMBDA_FUNCTION_NAME: 'example',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/example',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      AWS_REGION: 'eu-central-1',
      LAMBDA_TASK_ROOT: folder,
      _HANDLER: 'index.handler',
    },
  })
}
