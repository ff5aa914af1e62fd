import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Flags that the package sets by default for serverless environments, but that this browser must not get. The first
 * five make a browser less secure. The others enable an emulated GPU, which takes twice the processor time.
 */
const unwanted =
  /^--(?:single-process|no-zygote|disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|ignore-gpu-blocklist|in-process-gpu|use-gl=.*|use-angle=.*|enable-unsafe-swiftshader)$/

/** Starts the browser from the installed package. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter(each => !unwanted.test(each)), '--disable-gpu'],
  })
}
