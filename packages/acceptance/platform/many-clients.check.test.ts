import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { answerWith, projectFolder } from '@signalbox/platform-load-balancer/testing/project-folder'

/**
 * Returns how many connections may wait for a listener on this system. A listener cannot have a larger
 * backlog.
 */
function systemLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 128
  }
}

it('a client can connect to every listener of a busy platform on the first attempt', async () => {
  const clientCount = Math.min(1000, systemLimit())
  const mail = "mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },"
  using folder = projectFolder(
    answerWith('one'),
    `queueListener: { port: 0, open: true }, control: { port: 0, open: true }, ${mail}`,
  )
  await using setup = spawnCommand(['start'], folder.path)
  const urls: string[] = []
  for (const name of ['load balancer web', 'queues', 'mail', 'control'])
    urls.push((await setup.prints(new RegExp(`${name}: +((?:http|smtp):\\S+)`)))[1]!)
  setup.process.kill('SIGSTOP')
  for (const url of urls) {
    const { hostname, port } = new URL(url)
    const clients: Socket[] = []
    for (let i = 0; i < clientCount; i++) clients.push(connect(Number(port), hostname).on('error', () => {}))
    await Promise.all(clients.map(client => once(client, 'connect')))
    for (const client of clients) client.destroy()
  }
  setup.process.kill('SIGCONT')
  expect(await (await fetch(`${urls[0]}/`)).text()).toBe('one')
})
