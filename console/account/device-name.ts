import { strings } from './strings.ts'

/* In this order: most browsers also name others in their user agent. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The device of a session, for example "Chrome on Windows". */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = browsers.find(([shape]) => shape.test(text))?.[1]
  const system = systems.find(([shape]) => shape.test(text))?.[1]
  if (browser === undefined)
    return system === undefined ? strings.sessions.unknownDevice : strings.sessions.program(system)
  return system === undefined ? browser : strings.sessions.browser(browser, system)
}
