// The console, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';
import { audit } from './console/audit.ts';
import { cases } from './console/cases.ts';
import { drills } from './console/drills.ts';
import { errors } from './console/errors.ts';
import { events } from './console/events.ts';
import { genealogy } from './console/genealogy.ts';
import { help } from './console/help.ts';
import { imports } from './console/imports.ts';
import { inbound } from './console/inbound.ts';
import { lot } from './console/lot.ts';
import { lots } from './console/lots.ts';
import { opening } from './console/opening.ts';
import { operator } from './console/operator.ts';
import { profile } from './console/profile.ts';
import { record } from './console/record.ts';
import { simulation } from './console/simulation.ts';
import { today } from './console/today.ts';
import { webhooks } from './console/webhooks.ts';

export const console = {
  // A file for each room.
  audit,
  cases,
  drills,
  errors,
  events,
  genealogy,
  help,
  imports,
  inbound,
  lot,
  lots,
  opening,
  operator,
  profile,
  record,
  simulation,
  today,
  webhooks,
  frame: {
    title: 'Consola',
    menu: 'Menú',
    pages: 'Páginas de la consola',
    account: 'Cuenta',
    logOut: 'Cerrar sesión',
    people: 'Personas',
    keys: 'Claves',
    hub: 'Plataforma',
    brands: 'Marcas',
    operators: 'Operadores',
    otherBrand: 'Elegir otra marca',
  },
  roles: {
    viewer: 'Lectura',
    quality: 'Calidad',
    manager: 'Responsable',
    operator: 'Operador',
  },
  roleHints: {
    viewer: 'lee todo lo que tiene la marca',
    quality: 'también bloquea lotes, simula, retira, corrige e importa',
    manager: 'también gestiona personas, claves y lo que los consumidores leen de la marca',
  },
  rights: {
    read: 'leer lotes, eventos, retiradas e informes',
    hold: 'bloquear y liberar lotes',
    simulate: 'simular retiradas y hacer simulacros',
    recall: 'abrir, modificar y cerrar retiradas',
    correct: 'corregir eventos',
    import: 'importar eventos desde archivos',
    people: 'invitar a personas y cambiar sus funciones',
    keys: 'crear y revocar claves',
    brand: 'modificar lo que los consumidores leen de la marca',
    products: 'modificar productos',
    places: 'modificar lugares',
    suppliers: 'vincular proveedores',
    webhooks: 'configurar webhooks',
    erase: 'borrar valores privados',
    disclose: 'abrir valores confidenciales para una autoridad',
  },
  form: {
    lookAtFields: 'Revise los campos marcados.',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'Selecciónelo y cópielo',
    actions: 'Acciones',
    more: 'Mostrar más',
  },
  filters: {
    apply: 'Mostrar',
    clear: 'Quitar filtros',
    all: 'Todos',
    pages: 'Páginas de la lista',
    previous: 'Anterior',
    next: 'Siguiente',
    range: (from: string, to: string, total: string) => `${from}–${to} de ${total}`,
    rangeOfMore: (from: string, to: string, total: string) => `${from}–${to} de más de ${total}`,
    moreThan: (total: string) => `más de ${total}`,
    first: 'A la primera página',
    tooFar: 'La lista continúa. Acótela para ver el resto.',
  },
  fields: {
    required: 'Rellene este campo.',
    blank: 'Escriba algo que se pueda ver.',
    notOneOf: 'Elija una de las opciones.',
    tooShort: (characters) => `Use al menos ${characters} caracteres.`,
    tooLong: (characters) => `Use como máximo ${characters} caracteres.`,
    refused: 'Contiene caracteres que no se pueden usar aquí.',
    guessable: 'Se adivina pronto. Use varias palabras que nadie espere.',
    malformed: 'No tiene la forma correcta.',
  },
  refusals: {
    loginFailed: 'El correo electrónico o la contraseña no es correcto.',
    rateLimited: 'Demasiados intentos. Espere un minuto y vuelva a intentarlo.',
    unavailable:
      'No se guardó nada: el servicio no puede escribir ahora. Vuelva a intentarlo en un minuto.',
    conflict: 'Esto cambió en el mismo momento. Mírelo otra vez y repita lo que quería.',
    limitReached: 'Se ha alcanzado el máximo. Quite primero alguno.',
    linkUsedUp: 'Este enlace se usó, ha caducado o se anuló. Pida uno nuevo.',
  },
  done: {
    'brand-left': 'Ha abandonado la marca.',
    'invitation-revoked': 'La invitación está anulada; su enlace ya no sirve.',
    'key-revoked': 'La clave está revocada; desde ahora se rechazan las peticiones con ella.',
    'logged-out': 'Ha cerrado la sesión.',
    'name-saved': 'Su nombre está guardado.',
    'operator-removed': 'La persona ya no opera la plataforma.',
    'password-saved': 'Su contraseña ha cambiado. Todas sus otras sesiones han terminado.',
    'person-removed': 'La persona ya no está en la marca.',
    'role-saved': 'La función ha cambiado.',
    'session-ended': 'La sesión ha terminado.',
    'sessions-ended': 'Todas sus otras sesiones han terminado.',
    erased: 'Su cuenta está borrada.',
  },
  again: {
    title: 'Inicie sesión de nuevo',
    ended: 'Su sesión ha terminado. Aún no se hizo nada, y nada de lo que escribió se ha perdido.',
    passwordsNot: 'Las contraseñas no se guardan: escríbalas de nuevo.',
    logIn: 'Iniciar sesión y volver a mi formulario',
    elsewhere: 'He iniciado sesión en otra ventana',
    shown: 'Ha vuelto a iniciar sesión. Revise el formulario y envíelo otra vez.',
  },
  choice: {
    title: 'Elegir una marca',
    none: 'Todavía no está en ninguna marca',
    noneAdvice: 'Pida una invitación a un responsable de su marca. Llega como enlace.',
    hub: 'Operar la plataforma',
    operates: 'Marcas y operadores de toda la plataforma',
  },
  people: {
    title: 'Personas',
    lead: 'Quién trabaja para esta marca, y qué puede hacer cada cual.',
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Función',
    since: 'Desde',
    you: 'Usted',
    change: 'Cambiar',
    changeRole: 'Cambiar la función',
    remove: 'Quitar',
    removeAdvice: (name) =>
      html`${name} pierde enseguida el acceso a esta marca. Lo que hizo ${name} conserva su nombre.`,
    removeNow: 'Quitar ahora',
    inviteTitle: 'Invitar a alguien',
    inviteLead: 'Usted recibe un enlace. Envíelo a la persona: sirve una vez, durante siete días.',
    emailHint: 'Así solo esta persona puede usar el enlace.',
    emailOptional: 'Correo electrónico (opcional)',
    invite: 'Crear la invitación',
    made: 'La invitación está creada. El enlace se muestra solo esta vez: cópielo ahora.',
    link: 'Enlace de la invitación',
    openTitle: 'Invitaciones abiertas',
    none: 'No hay ninguna invitación abierta.',
    anybody: 'Quien tenga el enlace',
    by: 'De',
    ends: 'Caduca',
    withdraw: 'Anular',
    withdrawAbout: (whom) => `la invitación de: ${whom}`,
    last: 'Una marca conserva al menos un responsable. Dé antes esa función a otra persona.',
    full: 'Hay tantas invitaciones abiertas como puede haber. Anule primero una.',
    bySignOn: 'por inicio de sesión único',
  },
  invitations: {
    conflict:
      'Ya está dentro, o la invitación es para otro correo electrónico, o el suyo ya tiene una cuenta: en ese caso inicie sesión primero.',
    full: 'No queda sitio: pregunte a quien le invita.',
  },
  me: {
    title: 'Mi cuenta',
    lastOne:
      'Usted es el último responsable de una marca, el último operador o el último propietario de un grupo. Traspase antes esa función.',
    brands: 'Marcas para las que trabaja',
    leave: 'Abandonar',
    leaveAdvice: (name) =>
      html`Pierde enseguida el acceso a ${name}. Lo que hizo allí conserva su nombre. Para volver
      hace falta una nueva invitación.`,
    leaveNow: 'Abandonar ahora',
    lastManager: 'Usted es el último responsable de esta marca. Nombre antes a otro responsable.',
    notIn: 'Ya no está en esta marca.',
  },
  keys: {
    title: 'Claves',
    lead: 'Con una clave un programa escribe y lee por esta marca.',
    label: 'Etiqueta',
    labelHint:
      'Lo que usa la clave, por ejemplo el ERP. Consta en la auditoría junto a lo que hace la clave.',
    limit: 'Puede',
    limits: {
      read: 'solo leer',
      'post-events': 'solo enviar eventos',
      all: 'hacer todo',
    },
    made: 'Creada',
    lastUse: 'Último uso',
    never: 'Nunca',
    state: 'Estado',
    active: 'Válida',
    endsAt: (at) => html`Caduca el ${at}`,
    revoked: 'Revocada',
    none: 'Esta marca aún no tiene ninguna clave propia.',
    ended: 'Claves que terminaron',
    makeTitle: 'Crear una clave',
    make: 'Crear la clave',
    issued: 'La clave está creada. Se muestra solo esta vez: cópiela ahora.',
    rotated:
      'La clave nueva está creada. Se muestra solo esta vez: cópiela ahora. La antigua sirve un día más.',
    key: 'Clave',
    tryIt: 'Probarla en una terminal',
    rotate: 'Sustituir',
    rotateAdvice:
      'Recibe una clave nueva con la misma etiqueta y los mismos permisos. La antigua sirve un día más.',
    rotateNow: 'Crear la clave nueva',
    revoke: 'Revocar',
    revokeAdvice: (label) => html`Lo que usa la clave ${label} se rechaza enseguida.`,
    revokeNow: 'Revocar ahora',
    full: 'Hay tantas claves como puede tener una marca. Revoque primero una.',
  },
  brands: {
    title: 'Marcas',
    lead: 'Todas las marcas de esta plataforma. Lo que una marca guarda para sí no se muestra aquí.',
    brand: 'Marca',
    id: 'Identificador',
    managers: 'Responsables',
    people: 'Personas',
    none: 'Aún no hay ninguna marca: invite al primer responsable de una.',
    noManager: 'Sin responsable',
    hasManager: 'Esta marca tiene un responsable, que invita a sus personas.',
    openTitle: 'Invitaciones abiertas de primeros responsables',
    withdrawAdvice: 'El enlace dejará de funcionar.',
    withdrawNow: 'Anular ahora',
    inviteTitle: 'Invitar al primer responsable de una marca',
    inviteLead: 'La marca no necesita tener eventos. Usted recibe un enlace: envíelo a la persona.',
    idHint: 'Como en la cabecera X-Tenant-Id: letras, cifras, punto, guion bajo, guion.',
  },
  operators: {
    title: 'Operadores',
    lead: 'Quién ve las marcas de la plataforma, sus claves, su verificador, su registro y sus testigos.',
    removeAdvice: (name) =>
      html`${name} deja de operar la plataforma. Sus funciones en las marcas siguen igual.`,
    last: 'La plataforma conserva al menos un operador. Invite antes a otra persona.',
  },
} satisfies Words['console'];
