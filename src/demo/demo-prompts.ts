import { descriptionWriter } from './demo-prompts-description.ts'

export type PromptDraft = {
  name: string
  description: string
  labels?: Record<string, string>
  versions: readonly {
    number: readonly [number, number, number]
    message: string
    lines: readonly string[]
  }[]
}

export type DemoPrompt = {
  name: string
  description: string
  labels: Record<string, string>
  versions: { number: [number, number, number]; prompt_text: string; message: string }[]
}

/** Six prompt templates with their histories, oldest version first. */
export function demoPrompts(): DemoPrompt[] {
  return drafts.map(({ name, description, labels = {}, versions }) => ({
    name,
    description,
    labels,
    versions: versions.map(({ number, message, lines }) => ({
      number: [...number],
      prompt_text: lines.join('\n'),
      message,
    })),
  }))
}

const seoTitle: PromptDraft = {
  name: 'SEO title and meta description',
  description: 'Writes the page title and the snippet that search engines show for a product page.',
  labels: { production: '1.1.1', staging: '2.0.0' },
  versions: [
    {
      number: [1, 0, 0],
      message: 'First version',
      lines: ['Write an SEO title for {{name}}.', 'Keep it under 60 characters.'],
    },
    {
      number: [1, 1, 0],
      message: 'Ask for a meta description as well',
      lines: [
        'Write an SEO title and a meta description for this product page.',
        '',
        'Product: {{name}}',
        'Summary: {{short_description}}',
        '',
        'The title has at most 60 characters, the meta description at most 155.',
      ],
    },
    {
      number: [1, 1, 1],
      message: 'Stop it from repeating the shop name, which the page adds by itself',
      lines: [
        'Write an SEO title and a meta description for this product page.',
        '',
        'Product: {{name}}',
        'Summary: {{short_description}}',
        '',
        'The title has at most 60 characters, the meta description at most 155.',
        'Leave out the name of the shop: the page template appends it.',
      ],
    },
    {
      number: [2, 0, 0],
      message: 'Answer as JSON, so that the import can read it',
      lines: [
        'Write an SEO title and a meta description for this product page.',
        '',
        'Product: {{name}}',
        'Brand: {{attributes.brand}}',
        'Categories: {{categories}}',
        'Summary: {{short_description}}',
        '',
        'Rules:',
        '- title: at most 60 characters, the product type first, the brand last.',
        '- meta_description: 120 to 155 characters, one benefit and one hard fact, no exclamation marks.',
        '- Leave out the name of the shop and the price: both change without us.',
        '',
        'Answer with JSON only: {"title": "…", "meta_description": "…"}',
      ],
    },
  ],
}

const attributeExtractor: PromptDraft = {
  name: 'Attribute extractor',
  description: 'Reads color, material, size and the like out of supplier texts into attributes.',
  labels: { production: '1.3.0' },
  versions: [
    {
      number: [1, 0, 0],
      message: 'First version',
      lines: [
        'Extract the color, the material and the size from this product text as JSON.',
        '',
        '{{description}}',
      ],
    },
    {
      number: [1, 1, 0],
      message: 'Read the name too: it often holds the size',
      lines: [
        'Extract the color, the material and the size from this product as JSON.',
        'Use null for whatever the text does not say.',
        '',
        'Name: {{name}}',
        'Text: {{description}}',
      ],
    },
    {
      number: [1, 2, 0],
      message: 'Numbers as numbers, with the unit in the key',
      lines: [
        'Extract attributes from this product as a flat JSON object.',
        '',
        'Name: {{name}}',
        'Text: {{description}}',
        '',
        'Rules:',
        '- Keys in snake_case. Measures are numbers with the unit in the key: weight_g, length_cm.',
        '- Yes/no properties are true or false, such as dishwasher_safe.',
        '- Leave out what the text does not say. Never guess from the kind of product.',
      ],
    },
    {
      number: [1, 3, 0],
      message: 'Keep what editors have already set',
      lines: [
        'Extract attributes from this product as a flat JSON object.',
        '',
        'Name: {{name}}',
        'Text: {{description}}',
        'Already known: {{attributes}}',
        '',
        'Rules:',
        '- Return only attributes that are not already known; an editor has checked those.',
        '- Keys in snake_case. Measures are numbers with the unit in the key: weight_g, length_cm.',
        '- Yes/no properties are true or false, such as dishwasher_safe.',
        '- Leave out what the text does not say. Never guess from the kind of product.',
        '- If the text contradicts a known attribute, add it under "conflicts" with both values.',
      ],
    },
  ],
}

const translation: PromptDraft = {
  name: 'Product translation',
  description: 'Translates name and texts of a product for another country, with terms kept as they are.',
  labels: { production: '1.0.0', staging: '1.1.0' },
  versions: [
    {
      number: [0, 1, 0],
      message: 'Draft for the trial with the Dutch shop',
      lines: ['Translate this product description into {{language}}:', '', '{{description}}'],
    },
    {
      number: [1, 0, 0],
      message: 'Translate name and both texts in one go',
      lines: [
        'Translate the product below into {{language}} for an online shop.',
        'Write as a native copywriter would; do not translate word by word.',
        '',
        'Name: {{name}}',
        'Short description: {{short_description}}',
        'Description: {{description}}',
        '',
        'Answer with JSON only: {"name": "…", "short_description": "…", "description": "…"}',
      ],
    },
    {
      number: [1, 1, 0],
      message: 'Brand names and measures stay; decimal marks follow the language',
      lines: [
        'Translate the product below into {{language}} for an online shop.',
        'Write as a native copywriter would; do not translate word by word.',
        '',
        'Name: {{name}}',
        'Short description: {{short_description}}',
        'Description: {{description}}',
        '',
        'Keep "{{attributes.brand}}" and model names as they are.',
        'Keep metric units and write decimal marks as is usual in {{language}}.',
        'Use the informal address if shops in that language commonly do.',
        '',
        'Answer with JSON only: {"name": "…", "short_description": "…", "description": "…"}',
      ],
    },
  ],
}

const altText: PromptDraft = {
  name: 'Image alt text',
  description: 'Describes a product picture for people who use a screen reader.',
  versions: [
    {
      number: [1, 0, 0],
      message: 'First version',
      lines: ['Describe the attached product image in one sentence. The product is {{name}}.'],
    },
    {
      number: [1, 1, 0],
      message: 'Limit the length and drop "image of", which screen readers say anyway',
      lines: [
        'Write an alt text for the attached image of {{name}}.',
        'At most 125 characters. Do not begin with "Image of" or "Photo of".',
        'Say what can be seen, not how good the product is.',
      ],
    },
    {
      number: [1, 2, 0],
      message: 'Name the color as the shop does',
      lines: [
        'Write an alt text for the attached image of {{name}}.',
        'At most 125 characters. Do not begin with "Image of" or "Photo of".',
        'Say what can be seen, not how good the product is: view, setting, and parts that stand out.',
        'The shop calls the color {{attributes.color}}; use that word if it fits the picture.',
        'If the picture shows another product, answer exactly: MISMATCH',
      ],
    },
  ],
}

const categorySuggestion: PromptDraft = {
  name: 'Category suggestion',
  description: 'Proposes one to three existing categories for a new product.',
  versions: [
    {
      number: [1, 0, 0],
      message: 'First version',
      lines: ['Which category fits {{name}} best?', '', '{{description}}'],
    },
    {
      number: [1, 1, 0],
      message: 'Choose from the categories that exist and make up none',
      lines: [
        'Choose one to three categories for the product from the list. Do not make up new ones.',
        '',
        'Product: {{name}}',
        'Text: {{description}}',
        '',
        'Categories: {{project.categories}}',
      ],
    },
    {
      number: [1, 2, 0],
      message: 'Order by fit, and allow for "none"',
      lines: [
        'Choose one to three categories for the product from the list, the best one first.',
        'Do not make up new ones. If none fits, answer with an empty list.',
        '',
        'Product: {{name}}',
        'Text: {{description}}',
        'Attributes: {{attributes}}',
        '',
        'Categories: {{project.categories}}',
        '',
        'Answer with JSON only: {"categories": ["…"], "reason": "one short sentence"}',
      ],
    },
  ],
}

const drafts = [descriptionWriter, seoTitle, attributeExtractor, translation, altText, categorySuggestion]
