import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { hostedSetup } from '../testing/hosted-setup.ts'
import { configProblems, createPlatform } from '../testing/pool-program.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns the page for signing in, its policy, and the styles in it. */
async function signInPage(pool: Partial<UserPoolConfig>, path = 'login') {
  await using setup = await hostedSetup({ pool })
  const { address } = await setup.ask()
  const { text, headers } = await setup.visitor.open(`${setup.staff.issuer}/${path}${address.search}`)
  const styles = /<style>(.*?)<\/style>/s.exec(text)![1]!
  return { text, policy: headers.get('content-security-policy')!, styles }
}

it('the pages have the name, the logo and the colors of the configuration', async () => {
  using folder = temporaryFolder()
  const logo = join(folder.path, 'logo.png')
  writeFileSync(logo, png)
  const { text, policy, styles } = await signInPage({
    pages: { name: 'Ash & <b>Sons</b>', logo, color: '#7a1fa2', darkColor: '#E1BEE7' },
  })
  expect(text).toContain(
    `<header><img src="data:image/png;base64,${png.toString('base64')}" alt=""><span>Ash &#38; &#60;b&#62;Sons&#60;/b&#62;</span></header>`,
  )
  expect(policy).toContain('img-src data:')
  expect(styles).toContain('--accent: light-dark(#7a1fa2, #E1BEE7)')
  // The browser applies the styles only if the policy has their digest.
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`)
})

it('the pages without these options have neither images nor a header', async () => {
  const { text, policy, styles } = await signInPage({})
  expect(text).not.toContain('<header>')
  expect(policy).not.toContain('img-src')
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`)
})

it('the page for signing up refers to the terms of the configuration', async () => {
  const termsOfUse = 'https://example.com/terms'
  const { text } = await signInPage({ pages: { termsOfUse } }, 'signup')
  expect(text).toContain(
    `By creating an account, you agree to the <a href="${termsOfUse}" target="_blank" rel="noopener noreferrer">terms of use</a>.`,
  )
  expect((await signInPage({}, 'signup')).text).not.toContain('By creating an account')
})

it('the configuration refuses what is not safe, or cannot be read by everyone', () => {
  const wrong = (pages: object) =>
    configProblems({ functions: {}, userPools: { staff: { clients: {}, pages } } } as never).map(
      ({ pointer }) => pointer.split('/').at(-1),
    )
  expect(wrong({ name: 'Ash', color: '#0b57d0', darkColor: '#a8c7fa' })).toEqual([])
  for (const color of ['red', '#fff', '#a8c7fa', '#0b57d0;}', 'url(https://evil.example)'])
    expect([color, wrong({ color })]).toEqual([color, ['color']])
  for (const darkColor of ['#0b57d0', '#000000']) expect(wrong({ darkColor })).toEqual(['darkColor'])
  for (const termsOfUse of ['http://example.com', 'javascript:alert(1)', 'https://example.com/">'])
    expect(wrong({ termsOfUse })).toEqual(['termsOfUse'])
  expect(wrong({ name: '', css: 'a' })).toEqual(['name', 'css'])
})

it('a logo that is no image, too large or not there is refused', () => {
  using folder = temporaryFolder()
  const write = (name: string, contents: Buffer | string) => {
    writeFileSync(join(folder.path, name), contents)
    return join(folder.path, name)
  }
  for (const [logo, problem] of [
    [write('logo.svg', '<svg onload="alert(1)"/>'), 'a PNG, JPEG or WebP image'],
    [write('large.png', Buffer.concat([png, Buffer.alloc(64 * 1024)])), 'at most 65536 bytes'],
    [join(folder.path, 'none.png'), 'where there is none'],
  ] as const)
    expect(() =>
      createPlatform({
        functions: {},
        userPools: { staff: { clients: {}, pages: { logo } } },
        userPoolListener: { port: 0 },
        dataDir: ':memory:',
      } as never),
    ).toThrow(problem)
})
