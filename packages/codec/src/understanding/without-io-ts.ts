import { contentOf } from '../check/content-of.ts'
import { decoded } from '../check/decoded.ts'
import { newReport, type Place, type Report, refuse } from '../check/report.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { isConfidential } from '../io-ts/confidential.ts'
import { declaredStructure } from '../io-ts/declared.ts'
import { examineReady, readyInWords } from '../ready/examine-ready.ts'
import { readyOf } from '../ready/ready-codec.ts'
import type { Understanding } from './understanding.ts'

/**
 * Understands only precompiled codecs and JSON text for them. For any other codec, it calls the guard and the decoder
 * of that codec, as for a custom codec. `understandIoTs` makes it also understand io-ts codecs.
 */
export const withoutIoTs: { -readonly [K in keyof Understanding]: Understanding[K] } = {
  guardOf: codec => value => codec.is(value),
  transforms: codec => readyOf(codec) === undefined,
  inWords,
  examine(codec, value, decoding) {
    const report = newReport(decoding)
    check(codec, { value }, report)
    return report
  },
}

function inWords(codec: Codec): string {
  const ready = readyOf(codec)
  if (ready) return readyInWords(ready)
  return jsonOf(codec) ? 'JSON text' : codec.name
}

function check(codec: Codec, place: Place, report: Report): unknown {
  const ready = readyOf(codec)
  if (ready) return examineReady(ready, place, report)
  try {
    if (isConfidential(codec)) place.confidential = true
    const json = jsonOf(codec)
    if (!json) return (!report.decoding && codec.is(place.value)) || refused(codec, place, report)
    const content = report.decoding ? contentOf(json.read!, place, report) : place
    return content && check(json.parts[0]!, content, report)
  } catch {
    return refuse(report, place, inWords(codec), 1, 'something that cannot be checked')
  }
}

function refused(codec: Codec, place: Place, report: Report): unknown {
  const isRefused = !decoded(codec, place, report, inWords)
  return isRefused || report.decoding || refuse(report, place, inWords(codec))
}

/** Returns the structure of a codec that reads JSON text. */
function jsonOf(codec: Codec) {
  const shape = declaredStructure(codec)
  return shape?.kind === 'same' && shape.read ? shape : undefined
}
