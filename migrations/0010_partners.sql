-- services of partner couriers: known here since a partner first offered them, priced by it.

alter table products add column courier text not null default 'house';

-- the courier's own word for the service; our own products are known by their number.
alter table products add column service text not null default '';

update products set service = cast(product_id as text);

create unique index products_by_service on products (courier, service);

-- of the taxable value, what the courier will bill us.
alter table quotes add column courier_paise bigint not null default 0;

-- numbers of partners' products begin above those of rate cards.
insert into counters (counter, value) values ('partner_products', 1000000);
