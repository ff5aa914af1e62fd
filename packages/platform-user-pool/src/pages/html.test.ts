import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { html, textOf } from './html.ts'

it('html`` escapes text, but not nested html`` results or lists of them', () => {
  const part = html`<b>${'<&>"\'`'}</b>`
  expect(textOf(html`<p title="${'"'}">${part}${[part, html`.`]}${1}${undefined}${false}</p>`)).toBe(
    '<p title="&#34;"><b>&#60;&#38;&#62;&#34;&#39;&#96;</b><b>&#60;&#38;&#62;&#34;&#39;&#96;</b>.1</p>',
  )
})

it('html`` escapes any text so that it cannot end the element or attribute around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const [, value, contents] = /^<p title="(.*)">(.*)<\/p>$/s.exec(
        textOf(html`<p title="${text}">${text}</p>`),
      )!
      expect(value).not.toMatch(/["<>]/)
      expect(contents).toBe(value)
    }),
  )
})
