import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { InitiateAuthCommand, SignUpCommand } from '@aws-sdk/client-cognito-identity-provider'
import { InvokeCommand } from '@aws-sdk/client-lambda'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePorts } from '@signalbox/platform-runtime/testing/free-port'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { runTemplate } from './testing/template-platform.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())
let webPort: number | undefined

beforeAll(async () => {
  ;[webPort] = await freePorts(1)
  await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('./testing/cdk-stacks.mjs', import.meta.url))],
    { env: { ...process.env, NODE_OPTIONS: '', CDK_OUTDIR: folder.path, WEB_PORT: String(webPort) } },
  )
})

const run = (stack: string) =>
  runTemplate(readFileSync(join(folder.path, `${stack}.template.json`), 'utf8'), { folder: folder.path })

describe('a stack that aws-cdk-lib has synthesized runs for stock clients:', () => {
  it('a worker gets messages, and sends them on', async () => {
    await using stack = await run('Worker')
    expect(stack.warnings.filter(({ kind }) => kind === 'missing')).toEqual([])
    await stack.send(stack.outputs.JobsUrl!, 'a')
    expect(await stack.receive(stack.outputs.ResultsUrl!)).toBe('done a')
  })

  it('a FIFO queue keeps its order', async () => {
    await using stack = await run('Fifo')
    for (const body of ['a', 'b', 'c'])
      await stack.send(stack.outputs.JobsUrl!, body, { MessageGroupId: 'g', MessageDeduplicationId: body })
    expect(await stack.receive(stack.outputs.ResultsUrl!)).toBe('done a')
  })

  it('users sign up past a trigger, and sign in', async () => {
    await using stack = await run('Users')
    const { ClientId } = stack.outputs
    const [Username, Password] = ['ann@example.com', 'Right7even']
    const UserAttributes = [{ Name: 'email', Value: Username }]
    const signedUp = await stack.cognito.send(
      new SignUpCommand({ ClientId, Username, Password, UserAttributes }),
    )
    expect(signedUp.UserConfirmed).toBe(true)
    const AuthParameters = { USERNAME: Username, PASSWORD: Password }
    const signedIn = await stack.cognito.send(
      new InitiateAuthCommand({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
    )
    expect(signedIn.AuthenticationResult?.IdToken).toBeDefined()
  })

  it('a load balancer forwards, redirects and answers by its rules', async () => {
    await using stack = await run('Web')
    const url = `http://${stack.outputs.Host}`
    expect(stack.outputs.Host).toBe(`127.0.0.1:${webPort}`)
    expect(await (await fetch(`${url}/orders`)).text()).toBe('GET /orders')
    const moved = await fetch(`${url}/old/page`, { redirect: 'manual' })
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${url}/new`])
    const gone = await new Promise(resolve =>
      get(url, { headers: { host: 'gone.example' } }, ({ statusCode }) => resolve(statusCode)),
    )
    expect(gone).toBe(410)
  })

  it('a function with inline code answers the Invoke API', async () => {
    await using stack = await run('Inline')
    const answer = await stack.lambda.send(
      new InvokeCommand({ FunctionName: 'greet', Payload: JSON.stringify({ name: 'Ada' }) }),
    )
    expect(JSON.parse(answer.Payload!.transformToString())).toEqual({ greeting: 'hello Ada' })
  })
})
