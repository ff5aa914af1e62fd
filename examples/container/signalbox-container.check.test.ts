import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { SignalboxContainer, type StartedContainer } from './signalbox-container.ts'

const folder = 'docs/deploy'

/**
 * Starts the command of the container as a process, in the folder that the image has as its working folder, with ports
 * that are free. A machine without a container engine runs the same test.
 */
async function startProcess(): Promise<StartedContainer> {
  const [, command = '[]'] =
    /^CMD (\[.*\])$/m.exec(readFileSync(`${folder}/Containerfile.testing`, 'utf8')) ?? []
  const env = { SIGNALBOX_HOST: '127.0.0.1', SIGNALBOX_PORTS: 'free' }
  const started = spawnCommand(JSON.parse(command), `${folder}/app`, '', env)
  const ports = new Map<number, number>()
  for (const [port, name] of [
    [3000, 'load balancer web'],
    [9324, 'queues'],
    [9330, 'control'],
    [9332, 'invoke'],
  ] as const)
    ports.set(port, Number((await started.prints(new RegExp(`^${name}: +http://\\S+:(\\d+)$`, 'm')))[1]))
  return {
    getHost: () => '127.0.0.1',
    getMappedPort: port => ports.get(port)!,
    async stop() {
      started.process.kill('SIGTERM')
      await started.exit
    },
  }
}

// #region test
it('an order for later reaches its function when its time has come', async () => {
  await using platform = new SignalboxContainer(await startProcess())
  const queues = platform.url(9324)
  await platform.reset()
  await fetch(queues, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
    body: JSON.stringify({
      QueueUrl: `${queues}/000000000000/orders`,
      MessageBody: 'two chairs',
      DelaySeconds: 600,
    }),
  })
  expect(await platform.messages('orders')).toMatchObject([{ body: 'two chairs', state: 'delayed' }])

  await platform.advance(600_000)
  expect(await platform.invocations({ function: 'orders', wait: 30 })).toMatchObject([
    { source: 'queue orders', verdict: { kind: 'success' }, event: { Records: [{ body: 'two chairs' }] } },
  ])
  expect(await platform.messages('orders')).toEqual([])

  await platform.reset()
  expect(await platform.invocations({ function: 'orders' })).toEqual([])
})
// #endregion test
