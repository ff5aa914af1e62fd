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

/** Throws where the code is none. */
const parsers: { readonly [language: string]: (code: string) => unknown } = {
  ts: code => transform(code, { loader: 'ts' }),
  yaml: code => {
    // CloudFormation's own tags are unknown to the parser, which is a warning and no error.
    const document = parseDocument(code, { logLevel: 'error' })
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  },
  hcl: code => parse('main.tf', code),
}

describe.each(['Cognito', 'SQS', 'WorkMail', 'Application Load Balancer'])('the settings for %s', title => {
  const fences = sections.find(section => section.title === title)?.fences ?? []

  it('are there for CDK, SAM and Terraform', () => {
    expect(fences.map(fence => fence.language)).toEqual(['ts', 'yaml', 'hcl'])
  })

  it.each(fences)('are correct $language', async ({ language, code }) => {
    await parsers[language]?.(code)
  })
})

describe('the settings for SQS', () => {
  it('ask for ReportBatchItemFailures, without which AWS does not look at the answer', () => {
    const { fences } = sections.find(section => section.title === 'SQS')!
    for (const { code } of fences)
      expect(code).toMatch(/reportBatchItemFailures: true|\["?ReportBatchItemFailures"?\]/)
  })
})

describe('the parsers', () => {
  it.each([
    ['ts', 'const = 1'],
    ['yaml', 'a: [1'],
    ['hcl', 'resource "a" {'],
  ])('refuse %s that is none', async (language, code) => {
    await expect((async () => parsers[language]?.(code))()).rejects.toThrow()
  })
})
