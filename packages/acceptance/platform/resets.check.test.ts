import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { answerWith, projectFolder } from '@signalbox/platform-load-balancer/testing/project-folder'
import { sendAndReset } from '@signalbox/platform-runtime/testing/raw-client'

const requests = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nwhat stands behind it',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 9\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nabc',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50),
  'no HTTP\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]

it('the platform survives clients that reset their connections to any listener', async () => {
  using folder = projectFolder(
    answerWith('one'),
    'queueListener: { port: 0, open: true }, control: { port: 0, open: true },',
  )
  await using setup = spawnCommand(['start'], folder.path)
  const [, web] = await setup.prints(/load balancer web: +(http:\S+)/)
  const [, queues] = await setup.prints(/queues: +(http:\S+)/)
  const [, control] = await setup.prints(/control: +(http:\S+)/)
  for (const url of [web!, queues!, control!]) {
    for (const request of requests)
      for (const wait of [0, 5, 20]) await sendAndReset(url, request, wait).catch(() => {})
  }
  expect(await (await fetch(`${web}/`)).text()).toBe('one')
  expect(setup.process.exitCode).toBeNull()
})
