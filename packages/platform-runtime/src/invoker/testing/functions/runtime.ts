// A runtime without a library: it gets events from the interface at AWS_LAMBDA_RUNTIME_API, and does what they say.
import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

interface Task {
  readonly do: string
  readonly [field: string]: unknown
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API!.split(':')
const [, , mode = 'loop'] = process.argv

function send(
  method: string,
  path: string,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
  trailers?: Record<string, string>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const to = request(
      { host, port, method, path: new URL(path, 'http://localhost/2018-06-01/runtime/').pathname, headers },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
      },
    )
    to.on('error', reject)
    if (trailers !== undefined) to.addTrailers(trailers)
    to.end(body)
  })
}

const next = () => send('GET', 'invocation/next')

async function work({ text, headers }: Answer): Promise<void> {
  const id = String(headers['lambda-runtime-aws-request-id'])
  const task = JSON.parse(text) as Task
  const respond = (value: unknown, to = id, more: Record<string, string> = {}) =>
    send('POST', `invocation/${to}/response`, JSON.stringify(value), more)
  console.log(`doing ${task.do}`)
  switch (task.do) {
    case 'echo':
      await respond(task)
      return
    case 'headers':
      await respond(headers)
      return
    case 'environment':
      await respond(process.env)
      return
    case 'wait':
      await delay(Number(task.milliseconds))
      await respond(task)
      return
    case 'throw':
      console.error('Traceback: line 7')
      await send(
        'POST',
        `invocation/${id}/error`,
        JSON.stringify({ errorType: 'ShopError', errorMessage: 'sold out', stackTrace: ['line 7'] }),
      )
      return
    case 'throw garbage':
      await send('POST', `invocation/${id}/error`, 'not JSON')
      return
    case 'exit':
      return process.exit(3)
    case 'never':
      await delay(2 ** 30)
      return
    case 'twice':
      await respond('first')
      await send('POST', 'init/error', JSON.stringify({ seen: (await respond('second')).status }))
      return
    case 'other':
      await respond('wrong', 'another-request')
      await respond((await respond('wrong', id, { 'Lambda-Runtime-Invocation-Id': 'x' })).status)
      return
    case 'own invocation':
      await respond('right', id, {
        'Lambda-Runtime-Invocation-Id': String(headers['lambda-runtime-invocation-id']),
      })
      return
    case 'garbage':
      await send('POST', `invocation/${id}/response`, Buffer.from([0x22, 0xff, 0x22]))
      return
    case 'long':
      await respond('x'.repeat(Number(task.length)))
      return
    case 'streamed':
      await send(
        'POST',
        `invocation/${id}/response`,
        '"in parts"',
        { 'Lambda-Runtime-Function-Response-Mode': 'streaming', 'Transfer-Encoding': 'chunked' },
        { 'Lambda-Runtime-Function-Error-Type': '' },
      )
      return
    case 'streamed error':
      await send(
        'POST',
        `invocation/${id}/response`,
        '"in par',
        {
          'Lambda-Runtime-Function-Response-Mode': 'streaming',
          'Transfer-Encoding': 'chunked',
          Trailer: 'Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body',
        },
        {
          'Lambda-Runtime-Function-Error-Type': 'Stream.Error',
          'Lambda-Runtime-Function-Error-Body': Buffer.from(
            '{"errorType":"Stream.Error","errorMessage":"the end is missing"}',
          ).toString('base64'),
        },
      )
      return
    case 'cut': {
      // Announces more than it sends, closes the connection, and answers as it should.
      await new Promise<void>(resolve => {
        const headers = { 'Content-Length': '1000' }
        const path = `/2018-06-01/runtime/invocation/${id}/response`
        const to = request({ host, port, method: 'POST', path, headers })
        to.on('error', () => resolve())
        to.write('"half')
        setTimeout(() => to.destroy(), 50)
      })
      await respond('whole')
      return
    }
    case 'children': {
      // One child stays, and one leaves its parent and its session.
      const script = 'setInterval(() => {}, 1000)'
      const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
      const daemon = spawn(process.execPath, ['-e', script], { stdio: 'ignore', detached: true })
      daemon.unref()
      await respond([process.pid, child.pid, daemon.pid])
      return
    }
    case 'connections': {
      const all = await Promise.all(Array.from({ length: 100 }, () => send('GET', '../ping')))
      const polls = await Promise.all(Array.from({ length: 5 }, () => next()))
      await respond([all.filter(({ text }) => text.includes('OK')).length, polls.map(({ status }) => status)])
      return
    }
    case 'path': {
      const { status, text: why } = await send('POST', 'invocation/a/b/%')
      await respond([status, JSON.parse(why)])
      return
    }
    case 'memory': {
      const held = [Buffer.alloc(300_000_000, 1)]
      await delay(5000)
      await respond(held.length)
      return
    }
  }
}

if (mode === 'exit') process.exit(7)
if (mode === 'init error') {
  await send('POST', 'init/error', JSON.stringify({ errorType: 'ImportError', errorMessage: 'no shop' }))
  process.exit(1)
}
if (mode === 'silent') await delay(2 ** 30)
const loop = async () => {
  for (;;) await work(await next())
}
await Promise.all(Array.from({ length: Number(process.env.AWS_LAMBDA_MAX_CONCURRENCY ?? 1) }, loop))
