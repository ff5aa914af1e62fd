import { readFileSync } from 'node:fs'
import { parse } from '@cdktf/hcl2json'
import { describe, expect, it } from '@jest/globals'
import { transform } from 'esbuild'
import { parseDocument } from 'yaml'

const page = readFileSync(new URL('../../../docs/deploy-functions.md', import.meta.url), 'utf8')

/** Returns the only file in the section of a tool. */
function fileOf(tool: string): { readonly language: string; readonly code: string } {
  const section = page.split(/^### /m).find(each => each.startsWith(`${tool}\n`))
  const [[, language = '', code = ''] = [], ...others] = [
    ...(section ?? '').matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm),
  ]
  expect(others).toEqual([])
  return { language, code }
}

function yaml(tool: string) {
  // The parser warns about the tags of CloudFormation, which is not an error.
  const document = parseDocument(fileOf(tool).code, { logLevel: 'error' })
  expect(document.errors).toEqual([])
  return document.toJS()
}

/** What every tool sets: the time-outs in seconds, and how often a message is received. */
const queue = { VisibilityTimeout: 180, RedrivePolicy: { maxReceiveCount: 5 } }

describe('docs/deploy-functions.md', () => {
  it('has a template of SAM', () => {
    const { Orders, Queue } = yaml('SAM').Resources
    expect(Queue.Properties).toMatchObject(queue)
    expect(Orders.Properties).toMatchObject({ CodeUri: 'dist/orders', Handler: 'index.handler', Timeout: 30 })
    expect(Orders.Properties.Events.Queue.Properties.FunctionResponseTypes).toEqual([
      'ReportBatchItemFailures',
    ])
  })

  it('has a file of Serverless', () => {
    const { functions, resources, provider } = yaml('Serverless')
    expect(resources.Resources.Queue.Properties).toMatchObject(queue)
    expect(provider.runtime).toMatch(/^nodejs2[24]\.x$/)
    expect(functions.orders).toMatchObject({ handler: 'dist/orders/index.handler', timeout: 30 })
    expect(functions.orders.events[0].sqs.functionResponseType).toBe('ReportBatchItemFailures')
  })

  it('has a file of Terraform', async () => {
    const { resource } = (await parse('main.tf', fileOf('Terraform').code)) as {
      readonly resource: Record<string, Record<string, readonly object[]>>
    }
    expect(resource.aws_sqs_queue?.orders?.[0]).toMatchObject({ visibility_timeout_seconds: 180 })
    expect(resource.aws_lambda_function?.orders?.[0]).toMatchObject({ handler: 'index.handler', timeout: 30 })
    expect(resource.aws_lambda_event_source_mapping?.orders?.[0]).toMatchObject({
      function_response_types: ['ReportBatchItemFailures'],
    })
  })

  it.each([
    ['CDK', 'reportBatchItemFailures: true'],
    ['SST', 'partialResponses: true'],
    ['Pulumi', "functionResponseTypes: ['ReportBatchItemFailures']"],
  ])('has a program of %s', async (tool, reports) => {
    const { language, code } = fileOf(tool)
    expect(language).toBe('ts')
    await transform(code, { loader: 'ts' })
    expect(code).toContain(reports)
    for (const shared of [/180/, /\b5\b/, /\b30\b/, /dist\/orders/, /index\.handler/])
      expect(code).toMatch(shared)
  })
})
