import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

/** Dovecot refuses to file mail as root. */
const mailUser = 'nobody'

const configuration = (folder: string, group: string) => `
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
first_valid_uid = 1
first_valid_gid = 1
auth_username_format = %Lu
mail_location = maildir:${folder}/mail/%Lu
postmaster_address = postmaster@office.example
recipient_delimiter = +
lmtp_rcpt_check_quota = no
service lmtp {
  unix_listener ${folder}/lmtp {
    mode = 0666
  }
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  unix_listener ${folder}/imap {
    mode = 0666
  }
}
service auth {
  unix_listener auth-userdb {
    mode = 0666
  }
}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users
}
userdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
  default_fields = uid=${mailUser} gid=${group} home=${folder}/mail/%Lu
}
namespace inbox {
  inbox = yes
  mailbox Junk {
    auto = subscribe
    special_use = \\Junk
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve_before = ${folder}/junk.sieve
}
`

const sieve = `require "fileinto";
if header :is "X-Spam-Flag" "YES" {
  fileinto "Junk";
}
`

/** Starts Dovecot with LMTP and IMAP on Unix sockets, and a mailbox for each address. */
export async function dovecot(addresses: readonly string[], group = 'nogroup') {
  const folder = temporaryFolder()
  const { path } = folder
  for (const name of ['run', 'state', 'mail']) mkdirSync(join(path, name))
  chmodSync(path, 0o755)
  chmodSync(join(path, 'mail'), 0o777)
  const file = join(path, 'dovecot.conf')
  writeFileSync(file, configuration(path, group))
  writeFileSync(join(path, 'junk.sieve'), sieve)
  writeFileSync(join(path, 'users'), addresses.map(address => `${address}:{PLAIN}secret::::::\n`).join(''))
  const server = spawn('dovecot', ['-F', '-c', file], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  const socket = join(path, 'lmtp')
  while (!(await answers(socket))) {
    if (server.exitCode !== null) throw new Error(`Dovecot ended with the exit code ${server.exitCode}.`)
    await delay(50)
  }
  return {
    /** The path of the LMTP socket. */
    socket,
    /** Returns the mails in a folder of an address, over IMAP. */
    mails: (address: string, name: 'INBOX' | 'Junk') => mailsIn(join(path, 'imap'), address, name),
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
      folder[Symbol.dispose]()
    },
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.on('data', () => {
      socket.end('QUIT\r\n')
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Logs in, and fetches the whole mails of a folder as one text. */
async function mailsIn(path: string, address: string, name: string): Promise<string> {
  const socket = connect(path)
  let read = ''
  socket.setEncoding('utf8').on('data', text => {
    read += text
  })
  socket.write(`a LOGIN ${address} secret\r\nb EXAMINE ${name}\r\nc FETCH 1:* BODY.PEEK[]\r\nd LOGOUT\r\n`)
  await once(socket, 'close')
  const [, mails] = /^b OK[^\n]*\n([\s\S]*)^c /m.exec(read) ?? []
  if (mails === undefined) throw new Error(`The IMAP server answered: ${read}`)
  return mails
}
