// #region server
import { signalbox } from '@signalbox/core'
import { json, loadBalancer, post, text } from '@signalbox/load-balancer'
import { bearer } from '@signalbox/load-balancer/bearer'
import { protectedResource } from '@signalbox/load-balancer/protected-resource'
import * as t from 'io-ts'

const message = t.intersection([
  t.type({ jsonrpc: t.literal('2.0'), method: t.string }),
  t.partial({ id: t.union([t.string, t.number]), params: t.UnknownRecord }),
])

const tools = [
  { name: 'whoami', description: 'Says who you are', inputSchema: { type: 'object', properties: {} } },
]

/**
 * Returns a function that is a small MCP server with one tool. Agents sign their users in at the issuer.
 * @param resource the URL of the server, such as `https://mcp.example/mcp`, which is the audience of tokens
 */
export function mcpServer({ issuer, resource }: { readonly issuer: string; readonly resource: string }) {
  const published = protectedResource({ resource, issuers: [issuer], scopes: ['openid'], name: 'Example' })
  const signedIn = bearer({ issuer, audience: resource, metadata: published.metadata })
  const results: { readonly [method: string]: (user: string) => object } = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'example', version: '1.0.0' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': user => ({ content: [{ type: 'text', text: `You are ${user}.` }] }),
  }
  return signalbox(
    loadBalancer([
      published.route,
      post('/mcp', { guard: signedIn, body: message }, ({ body, claims }) => {
        const { id, method } = body
        // A notification has no id, and gets no answer.
        if (id === undefined) return text('', { status: 202 })
        const result = Object.hasOwn(results, method) ? results[method] : undefined
        return json(
          result === undefined
            ? { jsonrpc: '2.0', id, error: { code: -32601, message: `There is no method ${method}` } }
            : { jsonrpc: '2.0', id, result: result(String(claims.username)) },
        )
      }),
    ]),
  )
}
// #endregion server
