import type { loadBalancerRoutes, SentRequest } from '@signalbox/platform-load-balancer/console'
import { useState } from 'preact/hooks'
import { addressOf } from '../../address/address.ts'
import { apiOf, ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField, TextArea, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { durationInWords } from '../../time/words-of-time.ts'

const loadBalancerApi = apiOf<typeof loadBalancerRoutes>()

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The tab that sends a composed HTTP request to a load balancer, and shows the answer. */
export function RequestPage() {
  const balancers = useAnswer(
    signal => ask(loadBalancerApi.get('/load-balancers', { signal })),
    'load balancers',
  )
  const [chosen, setChosen] = useState('')
  const [method, setMethod] = useState('GET')
  const [path, setPath] = useState('/')
  const [headers, setHeaders] = useState<readonly Pair[]>([])
  const [body, setBody] = useState('')
  const name = chosen || balancers.value?.[0]?.name || ''
  const balancer = balancers.value?.find(each => each.name === name)
  const hasBody = method !== 'GET' && method !== 'HEAD'

  const [answer, setAnswer] = useState<SentRequest | undefined>(undefined)
  const request = () =>
    ask(
      loadBalancerApi.post('/load-balancers/{name}/requests', {
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
            <Form action={send} button="Send" busy="Sending" isCard>
              <div class="filters">
                <SelectField
                  label="Load balancer"
                  value={name}
                  onValue={setChosen}
                  options={balancers.value?.map(each => each.name) ?? []}
                />
                <SelectField label="Method" value={method} onValue={setMethod} options={methods} />
                <TextField
                  label="Path and query"
                  isWide
                  class="mono"
                  required
                  spellcheck={false}
                  pattern="/.*"
                  title="A path begins with /"
                  value={path}
                  onText={setPath}
                />
              </div>
              <p class="faint small">
                Goes to <Text of={balancer.url ?? 'its address'} /> and the{' '}
                {balancer.functions.length === 1 ? 'function' : 'functions'}{' '}
                <Text of={balancer.functions.join(', ')} />.
              </p>
              <Pairs legend="Headers" pairs={headers} onChange={setHeaders} />
              {hasBody && <TextArea label="Body" rows={8} spellcheck={false} value={body} onText={setBody} />}
            </Form>
          </Section>
          <Section title="Answer">
            {answer === undefined ? (
              <p class="faint">Send the request to see its answer.</p>
            ) : (
              <AnswerOf answer={answer} />
            )}
          </Section>
        </div>
      )}
    </>
  )
}

function AnswerOf({ answer }: { readonly answer: SentRequest }) {
  return (
    <div class="stack" role="status">
      <div class="actions">
        <Badge tone={answer.status < 400 ? 'good' : answer.status < 500 ? 'warn' : 'bad'}>
          {answer.status} <Text of={answer.statusText} most={60} />
        </Badge>
        <span class="faint">{durationInWords(answer.duration)}</span>
        {answer.invocation !== undefined && (
          <a href={addressOf(`/invocations/${answer.invocation}`)}>Invocation #{answer.invocation}</a>
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
  )
}
