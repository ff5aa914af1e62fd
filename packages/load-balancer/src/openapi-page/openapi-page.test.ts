import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, json, loadBalancer, securityHeaders } from '../index.ts'
import { openapi } from '../openapi/index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { openapiPage } from './index.ts'

const routes = [
  get('/orders/{id}', { returns: { 200: t.type({ id: t.string }) } }, ({ params }) => json(params)),
]
const info = { title: 'Orders & <more>', version: '1.0.0' }
const servers = [{ url: 'https://api.example.com/v1' }, { url: '/v2' }]
const gzip = { 'accept-encoding': 'gzip, deflate, br' }

describe.each(headerModes)('openapiPage() with %s', (_headers, multiValue) => {
  const handler = signalbox(
    loadBalancer([...routes, openapiPage('/docs', () => openapi(routes, { info, servers }))]),
  ).use(securityHeaders())
  const ask = (path: string, headers: { readonly [name: string]: string } = gzip) =>
    exchange(handler, httpEvent('GET', path, { multiValue, headers }))

  it('redirects to a page that loads files only from the same origin', async () => {
    const redirected = await ask('/docs')
    expect([redirected.status, redirected.header('location')]).toEqual([301, ['/docs/']])
    const { status, text, header } = await ask('/docs/')
    expect([status, header('content-type')]).toEqual([200, ['text/html; charset=utf-8']])
    expect(text).toContain('<title>Orders &#38; &#60;more&#62;</title>')
    expect(text).not.toMatch(/https?:|<script>|style=|\son\w+=/)
    const [policy] = header('content-security-policy')
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; " +
        "connect-src 'self' https://api.example.com; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    for (const [, path] of text.matchAll(/(?:src|href)="([^":]+)"/g)) {
      expect([path, (await ask(`/docs/${path}`)).status]).toEqual([path, 200])
    }
  })

  it('serves the OpenAPI document that the page loads', async () => {
    expect((await ask('/docs/start.js')).text).toContain("url: 'openapi.json'")
    expect((await ask('/docs/openapi.json')).json).toEqual(
      JSON.parse(JSON.stringify(openapi(routes, { info, servers }))),
    )
  })

  it('serves large files compressed with gzip, and answers 304 to a client that already has the file', async () => {
    const { verdict, header } = await ask('/docs/swagger-ui-bundle.js')
    expect([header('content-encoding'), header('vary')]).toEqual([['gzip'], ['accept-encoding']])
    expect(gunzipSync(verdict.body).toString()).toContain('SwaggerUIBundle')
    const again = await ask('/docs/swagger-ui-bundle.js', { ...gzip, 'if-none-match': header('etag')[0]! })
    expect(again.status).toBe(304)
    expect((await ask('/docs/swagger-ui.css', {})).status).toBe(406)
  })
})

it('openapiPage() accepts an OpenAPI document, and a folder that contains the Swagger UI files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-page-'))
  try {
    const document = openapi(routes, { info })
    expect(() => openapiPage('/docs', document, { assets: folder })).toThrow(
      'there is no swagger-ui-bundle.js in',
    )
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) writeFileSync(join(folder, name), name)
    const handler = signalbox(
      loadBalancer([openapiPage('/docs', document, { assets: pathToFileURL(`${folder}/`) })], {
        log: () => {},
      }),
    )
    const answer = await exchange(handler, httpEvent('GET', '/docs/swagger-ui.css', { headers: gzip }))
    expect(gunzipSync(answer.verdict.body).toString()).toBe('swagger-ui.css')
    const script = httpEvent('GET', '/docs/swagger-ui-bundle.js', { headers: gzip })
    rmSync(join(folder, 'swagger-ui-bundle.js'))
    expect((await exchange(handler, script)).status).toBe(500)
    writeFileSync(join(folder, 'swagger-ui-bundle.js'), 'again')
    expect((await exchange(handler, script)).status).toBe(200)
    expect(() => openapiPage('/docs', document, { asset: folder } as never)).toThrow('assets')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
