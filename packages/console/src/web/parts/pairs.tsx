/** A name and its value. */
export type Pair = readonly [name: string, value: string]

/** A form for pairs of names and values, such as headers or attributes. */
export function Pairs({
  legend,
  pairs,
  onChange,
}: {
  readonly legend: string
  readonly pairs: readonly Pair[]
  readonly onChange: (pairs: readonly Pair[]) => void
}) {
  const change = (index: number, pair: Pair) =>
    onChange(pairs.map((each, at) => (at === index ? pair : each)))
  return (
    <fieldset>
      <legend>{legend}</legend>
      {pairs.map(([name, value], index) => (
        <div class="pair" key={index}>
          <input
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            value={name}
            onInput={event => change(index, [event.currentTarget.value, value])}
          />
          <input
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            value={value}
            onInput={event => change(index, [name, event.currentTarget.value])}
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${index + 1}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <div>
        <button type="button" class="quiet" onClick={() => onChange([...pairs, ['', '']])}>
          Add
        </button>
      </div>
    </fieldset>
  )
}
