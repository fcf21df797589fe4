// Terms of the glossary: people and keys, in Spanish.
import type { Words } from '../../../en.ts';

export const people = {
  words: {
    hub: 'plataforma',
    tenant: 'cliente de la plataforma',
    brand: 'marca',
    dataOwner: 'titular de los datos',
    operator: 'operador',
    role: 'rol',
    right: 'derecho',
    tenantKey: 'clave de cliente, clave de administración',
    unboundKey: 'clave no ligada',
    limitOfKey: 'límite de una clave',
    lastUse: 'último uso',
    actor: 'autor',
    check: 'comprobación',
    score: 'puntuación',
    refusedKey: 'clave rechazada',
    auditEntry: 'entrada de auditoría',
  },
  sentences: {
    hub: 'Un Lothub con su única cadena, sea cual sea el número de sus procesos.',
    tenant:
      'El titular de datos en la plataforma. Lee y escribe solo lo suyo; ninguno sabe nada de otro.',
    brand:
      'El cliente como lo ven los consumidores: identificador y nombre. En un bloque, `brand` es el identificador del cliente.',
    dataOwner: 'El cliente que registró un lote y responde de lo que registró.',
    operator:
      'Quien opera la plataforma: emite claves, hace copias de seguridad, verifica; en la línea de órdenes o como persona con ese rol.',
    role: 'Lo que alguien es en una marca (`viewer`, `quality`, `manager`), en la plataforma (`operator`) o en un grupo.',
    right:
      'Una cosa que los roles permiten, como `hold`; las páginas piden un derecho y nunca un rol.',
    tenantKey:
      'Las dos clases de secreto para `/v1`; ninguna sustituye a la otra. Una clave de cliente puede estar ligada a uno solo.',
    unboundKey:
      'Una clave que sirve para cualquier cliente. Si un segundo cliente escribe con ella, se muestra al operador.',
    limitOfKey: 'Lo que puede hacer una clave: `read`, `post-events` o `all`.',
    lastUse: 'El minuto en que una clave abrió algo por última vez.',
    actor:
      'Quién hizo algo, en la auditoría: una clave por su etiqueta, con la persona que nombró, o una persona por su nombre.',
    check: 'Una pregunta del panel a lo registrado, con lo que encontró mal.',
    score: 'La media de las comprobaciones: de 0 a 100.',
    refusedKey: 'Una clave que no abrió aquello para lo que se envió; se muestra solo al operador.',
    auditEntry:
      'Una línea del registro, en el que solo se añade, de lo que se hizo, aparte de la cadena.',
  },
} satisfies Words['console']['help']['terms']['people'];
