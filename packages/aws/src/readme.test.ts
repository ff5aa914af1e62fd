import { readFileSync } from 'node:fs'
import { parse } from '@cdktf/hcl2json'
import { describe, expect, it } from '@jest/globals'
import { transform } from 'esbuild'
import { parseDocument } from 'yaml'

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const sections = text.split(/^## /m).map(section => ({
  title: section.slice(0, section.indexOf('\n')),
  fences: [...section.matchAll(/^```(ts|yaml|hcl)\n([\s\S]*?)\n```$/gm)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  })),
}))

/** For each language, a function that throws for invalid code. */
const parsers: { readonly [language: string]: (code: string) => unknown } = {
  ts: code => transform(code, { loader: 'ts' }),
  yaml: code => {
    // The parser warns about the tags of CloudFormation, which is not an error.
    const document = parseDocument(code, { logLevel: 'error' })
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  },
  hcl: code => parse('main.tf', code),
}

describe.each(['Cognito', 'SQS', 'WorkMail', 'SES', 'Application Load Balancer'])(
  'the settings for %s in the README',
  title => {
    const fences = sections.find(section => section.title === title)?.fences ?? []

    it('are written for CDK, SAM and Terraform', () => {
      expect(fences.map(fence => fence.language).slice(-3)).toEqual(['ts', 'yaml', 'hcl'])
    })

    it.each(fences)('can be parsed as $language', async ({ language, code }) => {
      await parsers[language]?.(code)
    })
  },
)

describe('the settings for SQS in the README', () => {
  it('set ReportBatchItemFailures, because AWS ignores the response without it', () => {
    const { fences } = sections.find(section => section.title === 'SQS')!
    for (const { code } of fences)
      expect(code).toMatch(/reportBatchItemFailures: true|\["?ReportBatchItemFailures"?\]/)
  })
})

describe('the settings for an Application Load Balancer in the README', () => {
  it('name the type of the target group, because CDK refuses multiValueHeadersEnabled without it', () => {
    const { fences } = sections.find(section => section.title === 'Application Load Balancer')!
    expect(
      fences.map(({ code }) => /^ *(?:targetType: |TargetType: |target_type += )\S+$/m.test(code)),
    ).toEqual([true, true, true])
  })
})

describe('the parsers that this test uses', () => {
  it.each([
    ['ts', 'const = 1'],
    ['yaml', 'a: [1'],
    ['hcl', 'resource "a" {'],
  ])('refuse invalid %s', async (language, code) => {
    await expect((async () => parsers[language]?.(code))()).rejects.toThrow()
  })
})
