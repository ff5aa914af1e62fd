import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { createPlatform, type Platform } from '../platform.ts'
import type { Config } from '../source-modules.ts'
import { languageProject } from './language-project.ts'
import { languages } from './languages.ts'
import { starters } from './starters.ts'

/** Writes a project with a function for each family, and returns its configuration. */
async function written(folder: string, language: string): Promise<Config> {
  const files = languageProject({
    name: 'project',
    starters,
    source: { versionOf: () => '^0.1.0', beside: [] },
    needsNode: false,
    language: languages[language]!(),
  })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  // The packages are not installed here.
  const text = files['signalbox.config.ts']!.replace(/^import .*$/m, '').replace('defineConfig', '')
  const file = join(folder, 'config.mjs')
  writeFileSync(file, text)
  return ((await import(file)) as { readonly default: Config }).default
}

const batch = queueEvent({ bodies: [{ order: '7', parcels: 2 }, { order: '8', parcels: 0 }, 'no order'] })
const [, empty, invalid] = batch.Records.map(({ messageId }) => messageId)
const staff = (email: string) => preSignUpEvent({ userAttributes: { email } })

const cases: readonly [functionName: string, event: object, verdict: string][] = [
  ['shop', httpEvent('GET', '/hello/Ada', { multiValue: true }), '200 OK'],
  ['shop', httpEvent('GET', '/other', { multiValue: true }), '404 Not Found'],
  ['orders', batch, `partial: ${empty}, ${invalid} failed`],
  ['mailroom', mailEvent({ from: 'eve@spam.example' }), 'ann@office.example: drop'],
  ['mailroom', mailEvent({ from: 'rita@partner.example' }), 'ann@office.example: deliver'],
  ['sign-up', staff('ann@example.com'), 'accepted with {"autoConfirmUser":true,"autoVerifyEmail":true}'],
  ['sign-up', staff('eve@elsewhere.example'), 'denied: PreSignUp failed with error Staff addresses only.'],
]

describe.each([
  ['python', ['python3']],
  ['go', ['go']],
  ['shell', ['bash', 'curl', 'jq']],
])('a new project', (language, programs) => {
  describeWith(programs, describe, `in ${language}`, () => {
    const folder = temporaryFolder()
    let platform: Platform
    beforeAll(async () => {
      const { functions } = await written(folder.path, language)
      if (language === 'go') execFileSync('go', ['build', './...'], { cwd: join(folder.path, 'functions') })
      platform = createPlatform({ functions, dataDir: ':memory:' } as Config, { root: folder.path })
    })
    afterAll(async () => {
      await platform.stop()
      folder[Symbol.dispose]()
    })

    it.each(cases)(
      'has the function %s',
      async (name, event, expected) => {
        expect((await platform.invoke(name, event)).verdict?.text).toBe(expected)
      },
      60_000,
    )
  })
})
