import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { dialogueOver } from '@signalbox/platform-mail/testing/smtp-dialogue'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { everyListener, guardedThings, publicThings, tryEverything } from './testing/outsider.ts'
import { hasProgram } from './testing/run-program.ts'

const httpListeners = ['load balancer web', 'queues', 'user pools', 'invoke', 'control'] as const
const everything = [...publicThings, ...guardedThings]
const key = 'AKIAIOSFODNN7EXAMPLE'
const identities = { ops: { rights: {}, keys: [{ id: key, secret: 'wJalrXUtnFEMIK7MDENG' }] } }

/** The platforms of docs/access.md, "Behind a proxy", and what an outsider may do at each of them. */
const platforms = [
  {
    ...{ name: 'neither access nor open', config: everyListener() },
    ...{ noticed: publicThings, silent: everything, relays: true },
  },
  {
    ...{ name: 'open: true', config: everyListener({ open: true }) },
    ...{ noticed: everything, silent: everything, relays: true },
  },
  {
    ...{ name: 'access', config: { ...everyListener(), access: { identities } } },
    ...{ noticed: publicThings, silent: publicThings, relays: false },
  },
] as const

const isThere = hasProgram('nginx', ['-v'])
/** The module that forwards TCP connections, which Debian has in a package of its own. */
const streamModule = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/share/nginx/modules']
  .map(folder => join(folder, 'ngx_stream_module.so'))
  .find(existsSync)
const withNginx = isThere ? it : it.skip
const hasStreams = isThere && streamModule !== undefined
const withStreams = hasStreams ? it : it.skip
const need = (has: boolean, what: string) => (has ? '' : ` (skipped: needs ${what})`)

const folder = temporaryFolder()
const running: ReturnType<typeof createPlatform>[] = []
let nginx: ReturnType<typeof spawn> | undefined

/** Returns the socket at which nginx stands in front of a listener. */
const socketOf = (platform: number, kind: string, listener: string) =>
  join(folder.path, `${platform}-${kind}-${listener.replaceAll(' ', '-')}`)

beforeAll(async () => {
  if (!isThere) return
  const [web, streams]: [string[], string[]] = [[], []]
  for (const [at, { config }] of platforms.entries()) {
    const platform = createPlatform(config)
    running.push(platform)
    const urls = new Map((await platform.start()).map(({ source, url }) => [source, new URL(url)]))
    const server = (kind: string, listener: string, more: string) =>
      `server { listen unix:${socketOf(at, kind, listener)}; ${more} }\n`
    for (const listener of httpListeners) {
      const pass = `proxy_pass http://${urls.get(listener)!.host};`
      const add = 'proxy_set_header X-Forwarded-For 203.0.113.9; proxy_set_header X-Forwarded-Proto https;'
      web.push(
        server('silent', listener, `location / { ${pass} }`),
        server('noticed', listener, `location / { ${pass} ${add} }`),
      )
    }
    const pass = `proxy_pass ${urls.get('mail')!.host};`
    streams.push(server('silent', 'mail', pass), server('noticed', 'mail', `${pass} proxy_protocol on;`))
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    each => `${each}_temp_path ${folder.path}/${each};`,
  )
  writeFileSync(
    join(folder.path, 'nginx.conf'),
    `${streamModule === undefined ? '' : `load_module ${streamModule};`}
    daemon off; worker_processes 1; pid ${folder.path}/pid; error_log ${folder.path}/log; events {}
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    http { access_log off; ${temporary.join(' ')} ${web.join('')} }
    ${streamModule === undefined ? '' : `stream { ${streams.join('')} }`}`,
  )
  const args = ['-p', folder.path, '-e', `${folder.path}/log`, '-c', join(folder.path, 'nginx.conf')]
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const tested = spawnSync('nginx', [...args, '-t'], { env, encoding: 'utf8' })
  if (tested.status !== 0) throw new Error(tested.stderr)
  nginx = spawn('nginx', args, { env, stdio: 'ignore' })
  const last = socketOf(platforms.length - 1, 'noticed', streamModule ? 'mail' : 'control')
  while (!existsSync(last) && nginx.exitCode === null) await new Promise(resolve => setTimeout(resolve, 10))
})
afterAll(async () => {
  if (nginx !== undefined && nginx.exitCode === null) {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
  }
  await Promise.all(running.map(platform => platform.stop()))
  folder[Symbol.dispose]()
})

describe.each(platforms.map((platform, at) => ({ ...platform, at })))(
  'a platform with $name behind nginx on the same machine',
  ({ at, noticed, silent, relays }) => {
    withNginx(
      `gives an outsider what docs/access.md says, when nginx says that it forwards${need(isThere, 'nginx')}`,
      async () => {
        const allowed = await tryEverything(each => ({ socketPath: socketOf(at, 'noticed', each) }))
        expect(allowed).toEqual(noticed)
      },
    )

    withNginx(
      `gives an outsider what docs/access.md says, when nginx adds no header${need(isThere, 'nginx')}`,
      async () => {
        const allowed = await tryEverything(each => ({ socketPath: socketOf(at, 'silent', each) }))
        expect(allowed).toEqual(silent)
      },
    )

    withStreams.each([
      ['the PROXY protocol', 'noticed', false],
      ['no word about its client', 'silent', relays],
    ])(
      `relays mail of an outsider only where docs/access.md says so, with %s${need(hasStreams, 'nginx and its stream module')}`,
      async (_case, kind, expected) => {
        const socket = connect(socketOf(at, kind, 'mail'))
        const { say, next } = dialogueOver(socket)
        await next()
        // The reply to the line of the PROXY protocol.
        if (kind === 'noticed') expect((await next())!.code).toBe(500)
        await say('EHLO outsider.example')
        await say('MAIL FROM:<eve@outsider.example>')
        expect(await say('RCPT TO:<ann@elsewhere.example>')).toMatch(
          expected ? /^250 / : /^550 5\.7\.1 Relaying denied/,
        )
        expect(await say('RCPT TO:<ann@box.example>')).toMatch(/^250 /)
        socket.destroy()
      },
    )
  },
)
