import * as t from 'io-ts'
import { optional } from './optional.ts'

const Column = t.readonly(
  t.intersection([
    t.type({
      title: t.string,
      /** The field of the row that the column shows: a text, a number, a list of texts, or nothing. */
      field: t.string,
    }),
    t.partial({
      /** What a number means: a time in milliseconds since the epoch, or a duration in milliseconds. */
      as: optional(t.keyof({ time: null, duration: null })),
    }),
  ]),
)

const RowAction = t.readonly(
  t.intersection([
    t.type({
      /** The label of the button, such as `Stop`. */
      title: t.string,
      method: t.keyof({ POST: null, DELETE: null }),
      /** The path of a route of the source. Its parameters are fields of the row. The request has the body `{}`. */
      path: t.string,
    }),
    t.partial({
      /** A question that the visitor answers before the action starts. An action with a question is dangerous. */
      question: optional(t.string),
    }),
  ]),
)

const TableOfRows = t.readonly(
  t.intersection([
    t.type({
      title: t.string,
      /** The path of a route of the source, without parameters, that answers with a list of rows. */
      rows: t.string,
      /** The field that identifies a row. */
      key: t.string,
      columns: t.readonlyArray(Column),
      /** What the page says when there is no row. */
      empty: t.string,
    }),
    t.partial({ actions: optional(t.readonlyArray(RowAction)) }),
  ]),
)

/** The description of a page. */
export const ConsolePage = t.readonly(
  t.intersection([
    t.type({
      /** The path of the page below `/console`: letters, digits and hyphens. */
      name: t.string,
      /** The name of the part that the page belongs to. */
      part: t.string,
      /** The title in the navigation and on the page. */
      title: t.string,
      /** The SVG path of the icon in the navigation, in a square of 16 units. */
      sign: t.string,
    }),
    t.partial({
      /**
       * What the number is that the navigation shows when something went wrong in the part, such as `Dead letters`. Without
       * it, the navigation shows no number.
       */
      wrong: optional(t.string),
      /**
       * What the web application shows on the page. Without it, the web application has contents for the page that are
       * made by hand.
       */
      contents: optional(
        t.readonly(
          t.type({
            /** One sentence below the title. */
            about: t.string,
            tables: t.readonlyArray(TableOfRows),
          }),
        ),
      ),
    }),
  ]),
)
export type ConsolePage = t.TypeOf<typeof ConsolePage>
