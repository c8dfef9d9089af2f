import type { Line } from './trades.ts'

const shared = {
  type: 'virtual',
  brands: ['Mill & Market'],
  names: ['{noun}, {size}'],
  axis: 'variant',
  option: '',
  options: [''],
  attributes: { delivery: ['e-mail'], transferable: [true, true, false] },
  details: [
    'The confirmation arrives by e-mail within minutes.',
    'Nothing is shipped, so there are no shipping costs.',
    'It can be given as a present: just enter the name of the recipient at checkout.',
    'It is kept in your customer account and can be called up there at any time.',
  ],
  closings: [
    'Our service desk answers questions within one working day.',
    'Invoices show it on a line of its own.',
  ],
} as const

const giftCard = {
  point: 'by e-mail, to print or to forward',
  attributes: { valid_years: 3, kind: 'gift card' },
} as const

export const services: Line[] = [
  {
    ...shared,
    sku: 'OUT-SRV',
    categories: ['Outdoor', 'Gift Cards & Services'],
    count: 12,
    models: [
      {
        ...giftCard,
        noun: 'Outdoor Gift Card',
        text: 'For friends who would rather be outside; it pays for anything from a tent peg to a tent.',
        sizes: { 'Value 25': [25], 'Value 50': [50], 'Value 100': [100], 'Value 200': [200] },
      },
      {
        noun: 'Extended Tent Warranty',
        point: 'for poles, zippers and seams',
        text: 'Covers broken poles, stuck zippers and leaking seams beyond the usual term, storms included.',
        sizes: { '3 Years': [29.9], '5 Years': [44.9], '10 Years': [69.9] },
        attributes: { kind: 'warranty', deductible: 0 },
      },
      {
        noun: 'Map and Compass Workshop Ticket',
        point: 'for a day outdoors with a guide',
        text: 'One day with a mountain guide: contour lines, bearings and finding the way in fog.',
        sizes: { 'April Date': [79], 'June Date': [79], 'September Date': [79] },
        attributes: { kind: 'workshop', hours: 7 },
      },
      {
        noun: 'Long-Distance Trail Guide Download',
        point: 'as a PDF with GPS tracks',
        text: 'Day stages, huts, water points and GPS tracks for the whole route, to print or use offline.',
        sizes: { 'Coast Path': [12.95], 'High Route': [14.95], 'River Trail': [9.95] },
        attributes: { kind: 'download', file_format: 'PDF and GPX' },
      },
    ],
  },
  {
    ...shared,
    sku: 'KIT-SRV',
    categories: ['Kitchen', 'Gift Cards & Services'],
    count: 11,
    models: [
      {
        ...giftCard,
        noun: 'Kitchen Gift Card',
        text: 'A present for people who love to cook and already own a garlic press.',
        sizes: { 'Value 20': [20], 'Value 50': [50], 'Value 75': [75], 'Value 150': [150] },
      },
      {
        noun: 'Knife Skills Class Ticket',
        point: 'for beginners, knives provided',
        text: 'An evening in our test kitchen: hold it, sharpen it, and dice an onion without tears.',
        sizes: { 'Weekday Evening': [59], Saturday: [69], 'For Two': [109] },
        attributes: { kind: 'workshop', hours: 3 },
      },
      {
        noun: 'Recipe Collection Download',
        point: 'with sixty tested recipes',
        text: 'Sixty recipes from our own kitchen, tested twice and written for ordinary ovens and pans.',
        sizes: { 'One-Pot Dinners': [8.95], 'Bread and Rolls': [8.95], 'Spice Basics': [6.5] },
        attributes: { kind: 'download', file_format: 'PDF' },
      },
      {
        noun: 'Cookware Care Plan',
        point: 'with new coating and sharpening included',
        text: 'Once a year we recoat one pan or sharpen up to five knives, and check the rest for free.',
        sizes: { '2 Years': [39], '4 Years': [69] },
        attributes: { kind: 'service plan', visits: 1 },
      },
    ],
  },
  {
    ...shared,
    sku: 'LIG-SRV',
    categories: ['Lighting', 'Gift Cards & Services'],
    count: 11,
    models: [
      {
        ...giftCard,
        noun: 'Lighting Gift Card',
        text: 'For a new home in which bare bulbs still hang from the ceiling.',
        sizes: { 'Value 30': [30], 'Value 60': [60], 'Value 120': [120] },
      },
      {
        noun: 'Room Lighting Consultation',
        point: 'by video with a lighting planner',
        text: 'Show the room by video, and a planner draws up which lamp goes where and how bright.',
        sizes: { '30 Minutes': [35], '60 Minutes': [59], 'Whole Apartment': [149] },
        attributes: { kind: 'consultation', recording: true },
      },
      {
        noun: 'Extended Lamp Warranty',
        point: 'for drivers, switches and dimmers',
        text: 'If a driver, switch or dimmer fails after the usual term, we mend the lamp or replace it.',
        sizes: { '3 Years': [9.95], '5 Years': [14.95], '10 Years': [24.95] },
        attributes: { kind: 'warranty', deductible: 0 },
      },
      {
        noun: 'Lampshade Pattern Download',
        point: 'for paper and fabric',
        text: 'Cutting patterns in full size with a clear list of wire rings, glue and paper to buy.',
        sizes: { 'Drum Shade': [5.9], 'Cone Shade': [5.9], 'Folded Star': [4.5] },
        attributes: { kind: 'download', file_format: 'PDF' },
      },
    ],
  },
  {
    ...shared,
    sku: 'OFF-SRV',
    categories: ['Stationery & Office', 'Gift Cards & Services'],
    count: 11,
    models: [
      {
        ...giftCard,
        noun: 'Stationery Gift Card',
        text: 'For letter writers, list makers and all who cannot walk past a good notebook.',
        sizes: { 'Value 15': [15], 'Value 30': [30], 'Value 60': [60] },
      },
      {
        noun: 'Hand Lettering Course',
        point: 'as online lessons with worksheets',
        text: 'Eight short lessons lead from the first stroke to a finished card, at your own pace.',
        sizes: { Beginner: [34], Advanced: [39], 'Both Levels': [64] },
        attributes: { kind: 'course', lessons: 8 },
      },
      {
        noun: 'Printable Planner Pages',
        point: 'for A4 and A5, without dates',
        text: 'Undated pages that can be printed again and again, with wide margins for holes or binding.',
        sizes: { Weekly: [4.99], Monthly: [4.99], Budget: [3.99] },
        attributes: { kind: 'download', file_format: 'PDF' },
      },
      {
        noun: 'Pen Engraving Service',
        point: 'for names, dates and short lines',
        text: 'We engrave the pen of your choice before it is packed, in capitals or in script.',
        sizes: { 'Up to 12 Characters': [9.5], 'Up to 25 Characters': [12.5] },
        attributes: { kind: 'service', returnable: false },
      },
    ],
  },
  {
    ...shared,
    sku: 'GAR-SRV',
    categories: ['Garden', 'Gift Cards & Services'],
    count: 11,
    models: [
      {
        ...giftCard,
        noun: 'Garden Gift Card',
        text: 'Whether balcony or orchard, whoever gets this card knows best what still has to be planted.',
        sizes: { 'Value 20': [20], 'Value 40': [40], 'Value 80': [80] },
      },
      {
        noun: 'Fruit Tree Pruning Workshop Ticket',
        point: 'for a morning in the orchard',
        text: 'A morning among old apple trees, with a tree nurse who explains every cut before making it.',
        sizes: { 'February Date': [49], 'March Date': [49], 'July Date': [54] },
        attributes: { kind: 'workshop', hours: 4 },
      },
      {
        noun: 'Bed Planting Plan Download',
        point: 'with a shopping list of plants',
        text: 'A planting plan to scale with a shopping list and a calendar of what flowers when.',
        sizes: { 'Sunny Border': [11.9], 'Shade Corner': [11.9], 'Kitchen Garden': [14.9] },
        attributes: { kind: 'download', file_format: 'PDF' },
      },
      {
        noun: 'Tool Sharpening Subscription',
        point: 'for shears, hoes and spades',
        text: 'Twice a year we sharpen what has gone blunt; hand it in at the counter or post it to us.',
        sizes: { '1 Year': [24], '2 Years': [42], '3 Years': [57] },
        attributes: { kind: 'subscription', tools_per_year: 6 },
      },
    ],
  },
  {
    ...shared,
    sku: 'TOY-SRV',
    categories: ['Toys', 'Gift Cards & Services'],
    count: 11,
    models: [
      {
        ...giftCard,
        noun: 'Toy Shop Gift Card',
        text: 'Spares aunts and uncles the question of which train set is already there.',
        sizes: { 'Value 10': [10], 'Value 25': [25], 'Value 50': [50], 'Value 100': [100] },
      },
      {
        noun: 'Sewing Pattern Download',
        point: 'for soft animals in three sizes',
        text: 'A pattern in full size with photos of every step, tested by people who had never sewn before.',
        sizes: { Rabbit: [5.5], Bear: [5.5], Whale: [4.95] },
        attributes: { kind: 'download', file_format: 'PDF' },
      },
      {
        noun: 'Family Game Night Ticket',
        point: 'for an evening in our shop',
        text: 'Four tables, forty games and somebody who explains the rules; drinks are included.',
        sizes: { Adult: [8], Child: [4], 'Family of Four': [19.5] },
        attributes: { kind: 'event', hours: 3 },
      },
      {
        noun: 'Toy Repair Pass',
        point: 'for two repairs a year',
        text: 'Loose wheels, split seams, lost screws: bring it in, and our repair bench sees to it.',
        sizes: { '1 Year': [15], '2 Years': [26] },
        attributes: { kind: 'service plan', repairs_per_year: 2 },
      },
    ],
  },
]
