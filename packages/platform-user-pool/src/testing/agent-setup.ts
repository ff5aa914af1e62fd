import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oidc from 'openid-client'
import type { UserPoolConfig, UserPoolListenerConfig } from '../config/user-pool-config.ts'
import { hostedSetup, password } from './hosted-setup.ts'
import type { VisitedPage } from './page-visitor.ts'

/** What the server of a client document sends. */
type Serve = (response: ServerResponse, url: string) => void

/** A server on this machine that has the document of a client. */
export async function documentServer() {
  let serve: Serve = response => void response.writeHead(404).end()
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url!)
    serve(response, `${origin}${request.url}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = `http://${host}`
  return {
    host,
    hits,
    url: `${origin}/client.json`,
    serves(next: Serve) {
      serve = next
    },
    /** Serves a document with these fields from now on. */
    describes(fields: object = {}) {
      serve = (response, url) => {
        const document = { client_id: url, client_name: 'Agent', redirect_uris: [agentCallback], ...fields }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
      }
    },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const agentCallback = 'https://agent.example/cb'

/** Starts a pool for agents with a user, and returns what an agent does there. */
export async function agentSetup(pool: Partial<UserPoolConfig> = {}, listener: UserPoolListenerConfig = {}) {
  const hosted = await hostedSetup({ pool, listener })
  const { issuer } = hosted.staff
  /** Returns the authorization request of a client, with a verifier of PKCE. */
  const asks = async (client_id: string, more: { [name: string]: string } = {}) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: agentCallback,
      scope: 'openid email',
      state: 'abc',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    })
    return { url: `${issuer}/oauth2/authorize?${query}`, verifier }
  }
  const signIn = (page: VisitedPage) => hosted.visitor.send(page, { username: 'ann', password }, 'login')
  const json = (path: string, body: unknown, headers: { [name: string]: string } = {}) =>
    fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  /** Registers a client, and returns its id. */
  const registered = async (metadata: object = {}) => {
    const answer = await json('/oauth2/register', { redirect_uris: [agentCallback], ...metadata })
    return ((await answer.json()) as { readonly client_id: string }).client_id
  }
  const redeem = (
    client_id: string,
    page: VisitedPage,
    code_verifier: string,
    redirect_uri = agentCallback,
  ) =>
    hosted.post('/oauth2/token', {
      ...{ grant_type: 'authorization_code', client_id, redirect_uri, code_verifier },
      code: new URL(page.url).searchParams.get('code') ?? '',
    })
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of an answer.
  const operation = async (name: string, input: object): Promise<any> => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${name}` }
    const answer = await fetch(hosted.url, { method: 'POST', headers, body: JSON.stringify(input) })
    return answer.json()
  }
  return {
    ...{ hosted, issuer, asks, signIn, json, registered, redeem, operation },
    visitor: hosted.visitor,
    [Symbol.asyncDispose]: () => hosted[Symbol.asyncDispose](),
  }
}
