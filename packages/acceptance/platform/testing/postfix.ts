import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@signalbox/platform-runtime/testing/free-port'
import { hasProgram } from './run-program.ts'

/** The options of `main.cf` that a test changes. */
export interface PostfixOptions {
  readonly [name: string]: string
}

/** A Postfix of a test, with a configuration, a queue and mailboxes of its own. */
export interface Postfix extends AsyncDisposable {
  /** The URL of its SMTP server. */
  readonly url: string
  readonly port: number
  /** Changes options of `main.cf`. The next connection gets them. */
  readonly change: (options: PostfixOptions) => void
  /** Returns the mails in a mailbox of `office.example`. */
  readonly inbox: (name: string) => readonly string[]
  /** Returns the names of the mails in a queue, such as `hold`. */
  readonly queue: (name: string) => readonly string[]
  readonly log: () => string
}

/** Whether this machine has Postfix and may run it. Only root can start it. */
export const hasPostfix = process.getuid?.() === 0 && hasProgram('postconf', ['-d', 'mail_version'])

/** The mailboxes of `office.example`. */
const names = ['ann', 'bob', 'cyd', 'junk', 'ann+junk', 'junk+junk', 'drop', 'bounce', 'bö']

/** The user that owns mailboxes. */
const owner = '65534'

/** Starts Postfix with its files in a folder, which other users must be able to read. */
export async function startPostfix(folder: string, options: PostfixOptions): Promise<Postfix> {
  const path = (...parts: string[]) => join(folder, ...parts)
  chmodSync(folder, 0o755)
  for (const name of ['config', 'queue', 'data', 'mail']) mkdirSync(path(name), { recursive: true })
  execFileSync('chown', ['postfix', path('data')])
  execFileSync('chown', [owner, path('mail')])
  const port = await freePort()
  const boxes = names.map(name => `{${name}@office.example = ${name}/}`).join(' ')
  const main = (changed: PostfixOptions) => ({
    compatibility_level: '3.6',
    queue_directory: path('queue'),
    data_directory: path('data'),
    command_directory: '/usr/sbin',
    daemon_directory: '/usr/lib/postfix/sbin',
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    maillog_file_prefixes: folder,
    maillog_file: path('log'),
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mail.office.example',
    mydestination: '',
    alias_maps: '',
    local_recipient_maps: '',
    virtual_mailbox_domains: 'office.example',
    virtual_mailbox_base: path('mail'),
    virtual_mailbox_maps: `inline:{ ${boxes} }`,
    virtual_minimum_uid: '1',
    virtual_uid_maps: `static:${owner}`,
    virtual_gid_maps: `static:${owner}`,
    recipient_delimiter: '+',
    default_transport: 'discard',
    mynetworks: '127.0.0.0/8',
    smtpd_recipient_restrictions: '',
    smtpd_soft_error_limit: '1000',
    smtpd_hard_error_limit: '1000',
    smtpd_client_connection_count_limit: '0',
    smtputf8_enable: 'yes',
    in_flow_delay: '0s',
    milter_connect_timeout: '5s',
    ...options,
    ...changed,
  })
  const write = (changed: PostfixOptions = {}) =>
    writeFileSync(
      path('config', 'main.cf'),
      Object.entries(main(changed))
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    )
  write()
  writeFileSync(path('config', 'master.cf'), masterOf(port))
  const postfix = (command: string) =>
    execFileSync('postfix', ['-c', path('config'), command], { stdio: 'pipe' })
  postfix('start')
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    change(changed) {
      write(changed)
      postfix('reload')
    },
    inbox: name =>
      filesIn(path('mail', name, 'new')).map(file => readFileSync(path('mail', name, 'new', file), 'utf8')),
    queue: name => filesIn(path('queue', name)),
    log: () => readFileSync(path('log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      const stopping = spawn('postfix', ['-c', path('config'), 'stop'], { stdio: 'ignore' })
      await once(stopping, 'exit')
    },
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(({ name }) => name)
  } catch {
    return []
  }
}

/** Returns the services that Postfix needs, without a pickup of mails that other programs of the machine send. */
function masterOf(port: number): string {
  const unix = ['rewrite trivial-rewrite', 'bounce bounce', 'defer bounce', 'trace bounce', 'verify verify']
  const more = [
    'proxymap proxymap',
    'smtp smtp',
    'lmtp lmtp',
    'relay smtp',
    'error error',
    'retry error',
    'discard discard',
  ]
  const service = (name: string, type: string, isPrivate: string, limit: string, command: string) =>
    `${name} ${type} ${isPrivate} ${command === 'virtual' ? 'n' : '-'} n - ${limit} ${command}\n`
  return [
    // As in Debian's configuration, the SMTP server is locked into the folder of the queue.
    `127.0.0.1:${port} inet n - y - 50 smtpd\n`,
    service('cleanup', 'unix', 'n', '0', 'cleanup'),
    service('qmgr', 'unix', 'n', '1', 'qmgr'),
    ...[...unix, ...more].map(each => {
      const [name = '', command = ''] = each.split(' ')
      return service(name, 'unix', '-', '-', command)
    }),
    service('virtual', 'unix', '-', '-', 'virtual'),
    service('anvil', 'unix', '-', '1', 'anvil'),
    service('tlsmgr', 'unix', '-', '1', 'tlsmgr'),
    service('postlog', 'unix-dgram', 'n', '1', 'postlogd'),
  ].join('')
}
