import { useEffect, useState } from 'preact/hooks'
import { addressOf, query, setQuery } from '../../address/address.ts'
import { api, ask, wordsOf } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import type { Schema } from '../../form/form-field.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { SelectField, TextArea } from '../../parts/field.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { jsonText } from '../../text/json-text.ts'
import { LongText, Text } from '../../text/text.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { resultText, VerdictBadge } from '../invocations/verdict-badge.tsx'

/** The tab that sends an event to a function: a sample, the event of a logged invocation, or a new event. */
export function TryEventPage() {
  const overview = useAnswer(signal => ask(api.get('/overview', { signal })), 'overview')
  const samples = useAnswer(signal => ask(api.get('/samples', { signal })), 'samples')
  const [chosenFunction, setFunction] = useState('')
  const functionName = chosenFunction || query.value.get('function') || overview.value?.functions[0] || ''
  const again = query.value.get('again') ?? ''
  const familiesOf = overview.value?.familiesOf ?? {}
  const ownFamilies = Object.hasOwn(familiesOf, functionName) ? (familiesOf[functionName] ?? []) : []
  const offered = ownFirst(samples.value ?? [], ownFamilies)
  // The families are known only when the overview has arrived.
  const first = overview.value === undefined ? '' : (offered[0]?.name ?? '')
  const sample = again === '' ? query.value.get('sample') || first : ''
  const [text, setText] = useState('')
  const [schema, setSchema] = useState<Schema | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const [isForm, setForm] = useState(false)

  useEffect(() => {
    if (again === '' && sample === '') return
    let isWanted = true
    const load = async () => {
      if (again !== '') {
        const { event, invocation } = await ask(api.get('/invocations/{id}', { params: { id: again } }))
        return { text: indented(event), schema: undefined, functionName: invocation.functionName }
      }
      const found = await ask(api.get('/samples/{name}', { params: { name: sample } }))
      return { text: jsonText(found.event), schema: found.schema, functionName: undefined }
    }
    load()
      .then(loaded => {
        if (!isWanted) return
        setText(loaded.text)
        setSchema(loaded.schema)
        if (loaded.functionName !== undefined) setFunction(loaded.functionName)
        else setForm(was => was && loaded.schema !== undefined)
        setProblem('')
      })
      .catch(error => {
        if (isWanted) setProblem(wordsOf(error))
      })
    return () => {
      isWanted = false
    }
  }, [again, sample])

  const event = parsed(text)
  const send = useSending(functionName, event)
  return (
    <>
      {problem !== '' && <ProblemNote text={problem} />}
      {(overview.error ?? samples.error) && <ProblemNote text={overview.error ?? samples.error ?? ''} />}
      <form
        class="sections"
        onSubmit={submitted => {
          submitted.preventDefault()
          send.start()
        }}
      >
        <div class="filters">
          <SelectField
            label="Function"
            value={functionName}
            onValue={name => {
              setFunction(name)
              // The sample of another function's family would not fit.
              setQuery({ sample: undefined })
            }}
            options={overview.value?.functions ?? []}
          />
          <SelectField
            label="Begin with"
            isWide
            value={again === '' ? sample : ''}
            onValue={value => setQuery({ sample: value, again: undefined })}
            options={again === '' ? [] : [['', `the event of invocation #${again}`]]}
            groups={groups(offered)}
          />
          <button
            type="submit"
            class="main"
            disabled={send.isBusy || event === undefined || functionName === ''}
          >
            {send.isBusy ? 'Invoking' : 'Invoke'}
          </button>
        </div>
        <div class="columns">
          <Section
            title="Event"
            tools={
              schema !== undefined && (
                <button type="button" class="quiet" aria-pressed={isForm} onClick={() => setForm(!isForm)}>
                  {isForm ? 'Edit as JSON' : 'Edit as a form'}
                </button>
              )
            }
          >
            {isForm && schema !== undefined && event !== undefined ? (
              <div class="card">
                <SchemaForm
                  schema={schema}
                  value={event.value}
                  onChange={value => setText(jsonText(value))}
                />
              </div>
            ) : (
              <TextArea
                label={event === undefined && text !== '' ? 'This is not valid JSON yet' : 'JSON'}
                class="editor"
                rows={22}
                spellcheck={false}
                isInvalid={event === undefined}
                value={text}
                onText={setText}
              />
            )}
          </Section>
          <Section title="Result">
            {send.error && <ProblemNote text={send.error} />}
            {send.result === undefined ? (
              <p class="faint">Invoke the function to see its payload and the verdict.</p>
            ) : (
              <div class="stack" role="status">
                <div class="actions">
                  <VerdictBadge of={send.result} />
                  <span class="faint">{durationInWords(send.result.duration)}</span>
                  {send.result.id !== undefined && (
                    <a href={addressOf(`/invocations/${send.result.id}`)}>Invocation #{send.result.id}</a>
                  )}
                </div>
                <p>
                  <Text of={resultText(send.result)} most={1000} />
                </p>
                <JsonView text={send.result.payload} label="the payload" />
                {send.result.logs.length > 0 && (
                  <LongText of={send.result.logs.map(line => line.text).join('\n')} label="The log" />
                )}
              </div>
            )}
          </Section>
        </div>
      </form>
    </>
  )
}

function useSending(functionName: string, event: { readonly value: unknown } | undefined) {
  type Result = Awaited<ReturnType<typeof invoke>>
  const [result, setResult] = useState<Result | undefined>(undefined)
  const invoke = () =>
    ask(api.post('/invocations', { body: { function: functionName, event: event?.value } }))
  const action = useAction(async () => {
    setResult(undefined)
    setResult(await invoke())
  })
  return { ...action, result }
}

interface SampleName {
  readonly name: string
  readonly family: string
}

/** Returns the samples of a function's own families before the others. */
function ownFirst(samples: readonly SampleName[], families: readonly string[]): readonly SampleName[] {
  const isOwn = ({ family }: SampleName) => families.includes(family)
  return [...samples.filter(isOwn), ...samples.filter(each => !isOwn(each))]
}

function groups(samples: readonly SampleName[]) {
  const byFamily = new Map<string, string[]>()
  for (const { name, family } of samples) byFamily.set(family, [...(byFamily.get(family) ?? []), name])
  return [...byFamily]
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function indented(json: string): string {
  const read = parsed(json)
  return read === undefined ? json : jsonText(read.value)
}
