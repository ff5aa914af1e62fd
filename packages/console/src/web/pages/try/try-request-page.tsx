import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { TryTabs } from './try-tabs.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Composes an HTTP request to a load balancer, and shows the answer. */
export function TryRequestPage() {
  const balancers = useAnswer(signal => ask(api.get('/load-balancers', { signal })), 'load balancers')
  const [chosen, setChosen] = useState('')
  const [method, setMethod] = useState('GET')
  const [path, setPath] = useState('/')
  const [headers, setHeaders] = useState<readonly Pair[]>([])
  const [body, setBody] = useState('')
  const name = chosen || balancers.value?.[0]?.name || ''
  const balancer = balancers.value?.find(each => each.name === name)
  const hasBody = method !== 'GET' && method !== 'HEAD'

  type Answer = Awaited<ReturnType<typeof request>>
  const [answer, setAnswer] = useState<Answer | undefined>(undefined)
  const request = () =>
    ask(
      api.post('/load-balancers/{name}/requests', {
        params: { name },
        body: {
          method,
          path,
          headers: headers
            .filter(([each]) => each !== '')
            .map(([each, value]) => [each, value] as [string, string]),
          ...(hasBody && body !== '' ? { body } : {}),
        },
      }),
    )
  const send = useAction(async () => {
    setAnswer(undefined)
    setAnswer(await request())
  })
  return (
    <>
      <PageHead title="Try it">Send something, and see what comes of it.</PageHead>
      <TryTabs current="/try/request" />
      {balancers.error && <ProblemNote text={balancers.error} retry={balancers.reload} />}
      {balancers.value?.length === 0 && (
        <Empty title="The platform has no load balancer">
          <p>
            Name one under <code>loadBalancers</code> in your configuration file, with its port and its
            function.
          </p>
        </Empty>
      )}
      {balancer !== undefined && (
        <div class="columns">
          <Section title="Request">
            <form
              class="card stack"
              onSubmit={event => {
                event.preventDefault()
                send.start()
              }}
            >
              <div class="filters">
                <label class="field">
                  <span>Load balancer</span>
                  <select value={name} onChange={event => setChosen(event.currentTarget.value)}>
                    {balancers.value?.map(each => (
                      <option key={each.name} value={each.name}>
                        {plainText(each.name)}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="field">
                  <span>Method</span>
                  <select value={method} onChange={event => setMethod(event.currentTarget.value)}>
                    {methods.map(each => (
                      <option key={each}>{each}</option>
                    ))}
                  </select>
                </label>
                <label class="field wide">
                  <span>Path and query</span>
                  <input
                    class="mono"
                    required
                    spellcheck={false}
                    pattern="/.*"
                    title="A path begins with /"
                    value={path}
                    onInput={event => setPath(event.currentTarget.value)}
                  />
                </label>
              </div>
              <p class="faint small">
                Goes to <Text of={balancer.url ?? 'its address'} /> and the{' '}
                {balancer.functions.length === 1 ? 'function' : 'functions'}{' '}
                <Text of={balancer.functions.join(', ')} />.
              </p>
              <Pairs legend="Headers" pairs={headers} onChange={setHeaders} />
              {hasBody && (
                <label class="field">
                  <span>Body</span>
                  <textarea
                    rows={8}
                    spellcheck={false}
                    value={body}
                    onInput={event => setBody(event.currentTarget.value)}
                  />
                </label>
              )}
              <div class="actions">
                <button type="submit" class="main" disabled={send.isBusy}>
                  {send.isBusy ? 'Sending' : 'Send'}
                </button>
              </div>
            </form>
          </Section>
          <Section title="Answer">
            {send.error && <ProblemNote text={send.error} />}
            {answer === undefined ? (
              <p class="faint">Send the request to see its answer.</p>
            ) : (
              <div class="stack" role="status">
                <div class="actions">
                  <Badge tone={answer.status < 400 ? 'good' : answer.status < 500 ? 'warn' : 'bad'}>
                    {answer.status} <Text of={answer.statusText} most={60} />
                  </Badge>
                  <span class="faint">{durationInWords(answer.duration)}</span>
                  {answer.invocation !== undefined && (
                    <a href={addressOf(`/invocations/${answer.invocation}`)}>
                      Invocation #{answer.invocation}
                    </a>
                  )}
                </div>
                <dl class="headers card">
                  {answer.headers.map(([each, value], index) => (
                    <div key={index}>
                      <dt class="mono">
                        <Text of={each} most={100} />
                      </dt>
                      <dd>
                        <Text of={value} most={500} />
                      </dd>
                    </div>
                  ))}
                </dl>
                {answer.isBase64 && <p class="faint">The body is not text. It is shown in base64.</p>}
                <JsonView text={answer.body} label="the body" />
              </div>
            )}
          </Section>
        </div>
      )}
    </>
  )
}
